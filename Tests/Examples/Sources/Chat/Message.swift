import Foundation

/// A message that the person has written and that the server has not confirmed yet.
struct Message: Codable, Equatable, Sendable {
    let id: String
    let text: String
    /// Made when the person sent it, once: the server takes a second try with it for the first one.
    let key: UUID
}
