import Foundation
import PacketCapture

/// Makes a file that can be read twice out of a pipe.
struct Spool {
    /// Where to read.
    let path: String
    private let isTemporary: Bool

    /// Copies `-` (standard input) and what is no plain file to a temporary file, in pieces.
    init(path: String) throws(CaptureError) {
        let isStandardInput = path == "-"
        var status = stat()
        if !isStandardInput {
            guard stat(path, &status) == 0 else {
                throw CaptureError(
                    path: path,
                    "there is no such file",
                    remedy: "check the path",
                    kind: .missing
                )
            }
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFIFO || kind == S_IFCHR || kind == S_IFSOCK else {
                self.path = path
                isTemporary = false
                return
            }
        }
        let target = FileManager.default.temporaryDirectory.appending(
            path: "onebar-\(UUID().uuidString).capture"
        )
        let source =
            isStandardInput
            ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard FileManager.default.createFile(atPath: target.path, contents: nil),
            let source, let sink = FileHandle(forWritingAtPath: target.path)
        else {
            throw CaptureError(
                path: path,
                "the pipe cannot be copied to a temporary file",
                remedy: "check TMPDIR",
                kind: .unwritable
            )
        }
        do {
            while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
                try sink.write(contentsOf: piece)
            }
            try sink.close()
        } catch {
            try? FileManager.default.removeItem(at: target)
            throw CaptureError(
                path: path,
                "the pipe cannot be copied to a temporary file",
                remedy: "check the space in TMPDIR",
                kind: .unwritable
            )
        }
        self.path = target.path
        isTemporary = true
    }

    /// Removes the temporary file, if there is one.
    func remove() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
