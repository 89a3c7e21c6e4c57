/// A place in a file that a person wrote.
package struct SourceLocation: Hashable, Sendable, Comparable {
    /// The file, as the user named it or relative to the working directory.
    package let path: String
    /// Counted from one; zero means the file as a whole.
    package let line: Int
    /// Counted from one in Unicode scalars, as editors count outside of rare joined characters.
    package let column: Int

    /// Makes a place.
    package init(path: String, line: Int, column: Int) {
        self.path = path
        self.line = line
        self.column = column
    }

    /// The file as a whole.
    package init(path: String) {
        self.init(path: path, line: 0, column: 0)
    }

    /// Orders by file, then from top to bottom.
    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.path, left.line, left.column) < (right.path, right.line, right.column)
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `path:line:column`, or the path alone for a file as a whole.
    package var description: String { line == 0 ? path : "\(path):\(line):\(column)" }
}
