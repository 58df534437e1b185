package dev.zarrreactive.credentials;

import java.nio.file.Path;
import reactor.core.publisher.Mono;

/**
 * The keys of links as they are now. {@link LinkKeys} are a source that never changes, and {@link
 * #file} is one whose keys rotate while a service runs. A service may have a source of its own,
 * such as one that asks a vault.
 */
@FunctionalInterface
public interface LinkKeySource {
  /**
   * Emits the keys, at each request that comes by a link: a source keeps them. An error refuses the
   * request, and is one of the service. Emits on any thread, which must not block.
   */
  Mono<LinkKeys> keys();

  /**
   * Returns the keys of a file, as {@link LinkKeys#of} reads them. A request that comes a second or
   * more after the last look at the file has it read again, on a file thread, and is answered by
   * what is there then; requests beside it have the keys of before. So a key that is put into the
   * file signs and opens from then on, and one that is taken away opens nothing more, without a
   * restart.
   *
   * <p>A file that is missing, or broken, changes nothing: the keys of before go on, and the log
   * has a line, without a secret. The first subscriber gets the error: a {@link
   * dev.zarrreactive.error.StoreException} for a file that cannot be read, and an {@link
   * IllegalArgumentException} for keys that are wrong. Subscribe when the service starts, so that
   * it does not start with wrong ones.
   */
  static LinkKeySource file(Path file) {
    return new LinkKeyFile(file, System::nanoTime);
  }
}
