package dev.zarrreactive.store.credential;

import dev.zarrreactive.store.StoreOptions;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificates of the connections of a store: those that it trusts, and its own for servers
 * that ask for one. An option of a location: {@code StoreOptions.none().with(material)}. A store
 * that encrypts nothing, such as one of files, leaves it alone.
 *
 * @param own the keys of the store; an empty factory for none
 * @param trusted the certificates of servers
 */
public record TlsMaterial(KeyManagerFactory own, TrustManagerFactory trusted)
    implements StoreOptions.Part {
  /** No key. */
  @Override
  public String toString() {
    return "TlsMaterial";
  }
}
