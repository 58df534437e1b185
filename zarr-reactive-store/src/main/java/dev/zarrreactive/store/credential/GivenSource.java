package dev.zarrreactive.store.credential;

import reactor.core.publisher.Mono;

/** A source of the program's own. */
record GivenSource(String name, Mono<ExpiringCredential> credential) implements CredentialSource {
  /** The name alone. */
  @Override
  public String toString() {
    return name;
  }
}
