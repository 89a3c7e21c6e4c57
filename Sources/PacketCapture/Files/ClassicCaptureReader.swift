import CPCap

/// Reads classic pcap files through libpcap, in nanoseconds whatever the file's resolution.
struct ClassicCaptureReader {
    let path: String

    func read(_ visitor: any CaptureVisitor) throws(CaptureError) -> CaptureFile.Ending {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        let opened = pcap_open_offline_with_tstamp_precision(
            path,
            UInt32(PCAP_TSTAMP_PRECISION_NANO),
            &message
        )
        guard let handle = opened else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw CaptureError(
                path: path,
                "libpcap refuses the file: \(String(decoding: bytes, as: UTF8.self))",
                remedy: "check that the capture was written to its end"
            )
        }
        defer { pcap_close(handle) }
        // libpcap translates link types to the platform's own numbers for raw IP.
        let linkType = LinkType(rawValue: pcap_datalink(handle))
        visitor.visitInterface(0, name: "", description: "", linkType: linkType)
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        var ending = CaptureFile.Ending()
        var read: Int64 = 24
        while true {
            let result = pcap_next_ex(handle, &header, &data)
            guard result == 1, let record = header?.pointee else {
                if result == -1 { ending.truncation = "the file ends within a packet" }
                return ending
            }
            let bytes = UnsafeRawBufferPointer(start: data, count: Int(record.caplen))
            read += 16 + Int64(record.caplen)
            ending.frames += 1
            visitor.visit(
                CapturedFrame(
                    interface: 0,
                    linkType: linkType,
                    nanoseconds: Int64(record.ts.tv_sec) &* 1_000_000_000
                        &+ Int64(record.ts.tv_usec),
                    bytes: bytes,
                    originalLength: Int(record.len)
                )
            )
            if ending.frames & 0x3FFF == 0 { visitor.visitProgress(bytes: read) }
        }
    }
}
