import ClientModules
import Trace

extension MemoryPressure {
    /// The client's word for it.
    var clientLevel: MemoryPressureLevel {
        switch self {
        case .normal: .normal
        case .warning: .warning
        case .critical: .critical
        }
    }
}
