/// What plain calls of the workload ask the server for: an answer of a given size.
enum EchoRoute {
    /// The request field that says how many bytes of body the answer shall have.
    static let sizeField = "Onebar-Response-Size"
}
