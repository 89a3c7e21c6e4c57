import ClientModules
import Foundation
import Profiles
import Quantities

/// The shipped scheduler and image cache, set as the profile says.
package struct PictureModules: Sendable {
    /// Sends what the cache asks for.
    package let scheduler: RequestScheduler
    /// The cache.
    package let cache: ImageCache

    /// Makes the modules of one launch, which heed what the server asked of others too.
    package init(_ launch: LaunchContext, pause: SharedServerPause) {
        scheduler = RequestScheduler(environment: launch.environment)
        cache = ImageCache(
            environment: launch.environment,
            decoder: launch.decoder,
            scheduler: scheduler,
            configuration: launch.configuration.images.configuration,
            pause: pause
        )
    }
}

extension ImageSettings {
    /// The cache's settings as the profile has them.
    package var configuration: ImageCacheConfiguration {
        let standard = ImageCacheConfiguration()
        return ImageCacheConfiguration(
            memoryLimit: memory ?? standard.memoryLimit,
            diskLimit: disk,
            parallelDecodes: parallelDecodes,
            variant: variants ? Self.variant : nil
        )
    }

    /// The address at the lab's server of the file that fits the place of a key.
    package static let variant: @Sendable (ImageKey) -> URL = { key in
        key.source.appending(
            queryItems: [URLQueryItem(name: "w", value: "\(key.size.width)")]
        )
    }
}
