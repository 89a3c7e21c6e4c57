import Quantities
import Foundation

if CommandLine.arguments.dropFirst().first == "fidelity" {
    exit(Fidelity.run(Array(CommandLine.arguments.dropFirst(2))))
}
