package dev.zarrreactive.store.credential;

import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.StoreOptions;
import reactor.core.publisher.Mono;

/**
 * Looks up the credential of a store, such as a token of a service. The store keeps what it gives:
 * one look-up serves all requests that wait, a request that finds the expiry near looks up the next
 * one, and so does a request that the server has refused. A source needs neither a cache nor
 * retries. Thread-safe.
 *
 * <p>The builder of a store takes a source, and so do the options of a location: {@code
 * Zarr.at(url).withStoreOptions(StoreOptions.none().with(source))}. A store that needs no
 * credential, such as one of files, leaves it alone.
 */
@Spi
public interface CredentialSource extends StoreOptions.Part {
  /**
   * Looks up the credential; each subscription is one look-up, at most one at a time of one store.
   * Never empty. It must not block. An error is the error of the requests that wait; its message
   * says what was tried and what to set, and shows no secret. A cancel ends the look-up.
   */
  Mono<ExpiringCredential> credential();

  /** The source in words for messages, such as {@code the token service of Earthdata}. */
  String name();

  /** What to set where a server refuses the credential, such as a variable; empty for nothing. */
  default String advice() {
    return "";
  }

  /** A source of a program, such as a vault of secrets. */
  static CredentialSource of(String name, Mono<ExpiringCredential> credential) {
    return new GivenSource(name, credential);
  }

  /** A source that always gives the same credential. */
  static CredentialSource fixed(Credential credential) {
    return new GivenSource(
        "the credential that was set", Mono.just(ExpiringCredential.lasting(credential)));
  }
}
