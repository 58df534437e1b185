package dev.zarrreactive.store.credential;

import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.StoreOptions;
import java.net.URI;
import java.util.Set;

/**
 * Makes sources of credentials by their names, which the option {@code credentials} of a store
 * gives. Found by {@link java.util.ServiceLoader}: a module names its provider in {@code
 * META-INF/services/dev.zarrreactive.store.credential.CredentialSourceProvider}.
 */
@Spi
public interface CredentialSourceProvider {
  /** The names of the sources, in lower case, such as {@code earthdata}. */
  Set<String> names();

  /**
   * The source of a name, for one store. Must not block; the source reads files and the environment
   * in its look-ups. Sources that are equal share what they have looked up.
   *
   * @param name one of {@link #names}
   * @param store the URL of the store
   * @param settings the options {@code credentials.KEY}, by their {@code KEY}
   * @throws IllegalArgumentException for a URL or settings that the source cannot use; it shows no
   *     secret
   */
  CredentialSource source(String name, URI store, StoreOptions settings);
}
