import Foundation
import NetworkModel
import Quantities

/// Profiles of Apple's Network Link Conditioner, out of `com.apple.network.prefPaneSimulate.plist`.
///
/// Rates are in kbps (unit 0) or Mbps (unit 1), delays in ms one way, losses in percent; 0 is no limit.
package enum LinkConditionerFormat {
    /// Reads one profile; the name may be left out where there is only one.
    package static func read(
        _ data: Data,
        profile name: String?,
        title: String
    ) throws(ExchangeError) -> ImportedNetwork {
        let profiles = try profiles(data)
        let names = profiles.keys.sorted()
        guard let chosen = name ?? (names.count == 1 ? names[0] : nil) else {
            throw ExchangeError(
                "the file has \(names.count) profiles",
                remedy: "choose one with --profile: \(names.joined(separator: ", "))"
            )
        }
        guard let profile = profiles[chosen] else {
            throw ExchangeError(
                "there is no profile '\(chosen)'",
                remedy: "one of: \(names.joined(separator: ", "))"
            )
        }
        var network = ImportedNetwork(
            title: name == nil ? title : "Network Link Conditioner: \(chosen).",
            source: "Apple Network Link Conditioner, profile \(chosen); delays are one way"
        )
        network.down = try direction("Downlink", profile)
        network.up = try direction("Uplink", profile)
        // Millionths of a millisecond are nanoseconds.
        network.oneWay = (
            .nanoseconds(try number("DownlinkDelay", profile)),
            .nanoseconds(try number("UplinkDelay", profile))
        )
        network.dns = .nanoseconds(try number("DNSDelayValue", profile))
        for key in ["ProtocolFamily", "RunOnInterface"] where profile[key] != nil {
            network.notes.append("\(key): not carried; the link carries all")
        }
        return network
    }

    private static func profiles(
        _ data: Data
    ) throws(ExchangeError) -> [String: [String: Any]] {
        let root: Any
        do {
            root = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw ExchangeError(
                "the file is no property list",
                remedy: "give the plist, or convert it: plutil -convert xml1 FILE"
            )
        }
        guard let dictionary = root as? [String: Any] else {
            throw ExchangeError(
                "the property list is no dictionary",
                remedy: "give com.apple.network.prefPaneSimulate.plist"
            )
        }
        if let profiles = dictionary["Profiles"] as? [String: [String: Any]], !profiles.isEmpty {
            return profiles
        }
        if dictionary["DownlinkBandwidth"] != nil {
            return [dictionary["Name"] as? String ?? "profile": dictionary]
        }
        throw ExchangeError(
            "there is no dictionary \"Profiles\"",
            remedy: "give com.apple.network.prefPaneSimulate.plist"
        )
    }

    private static func direction(
        _ prefix: String,
        _ profile: [String: Any]
    ) throws(ExchangeError) -> ImportedNetwork.Direction {
        var direction = ImportedNetwork.Direction()
        let bandwidth = try number("\(prefix)Bandwidth", profile)
        let unit = try number("\(prefix)BandwidthUnit", profile) / 1_000_000
        guard unit <= 1 else {
            throw ExchangeError(
                "\(prefix)BandwidthUnit is \(unit)",
                remedy: "write 0 for kbps or 1 for Mbps"
            )
        }
        if bandwidth > 0 {
            let bits = unit == 1 ? bandwidth : bandwidth / 1_000
            direction.rate = .constant(BitRate(bitsPerSecond: bits))
        }
        let loss = try number("\(prefix)PacketLossRatio", profile)
        guard loss <= 100_000_000 else {
            throw ExchangeError(
                "\(prefix)PacketLossRatio is above 100",
                remedy: "losses are percentages"
            )
        }
        if loss > 0 { direction.loss = .bernoulli(Probability(UInt64(loss), of: 100_000_000)) }
        return direction
    }

    /// The number at `key` times 10^6; 0 if it is absent.
    private static func number(
        _ key: String,
        _ profile: [String: Any]
    ) throws(ExchangeError) -> Int64 {
        guard let value = profile[key] else { return 0 }
        let text = (value as? NSNumber)?.stringValue ?? (value as? String) ?? "\(value)"
        guard let number = DecimalText.scaled(text, digits: 6) else {
            throw ExchangeError("\(key) is '\(text)'", remedy: "write a number of 0 or more")
        }
        return number
    }
}
