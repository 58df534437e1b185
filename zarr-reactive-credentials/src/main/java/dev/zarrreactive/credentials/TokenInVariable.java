package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import reactor.core.publisher.Mono;

/**
 * A variable of the environment with a secret.
 *
 * @param as what it is; see {@link SecretText}
 */
record TokenInVariable(String variable, String as, Surroundings around)
    implements CredentialSource {
  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.fromSupplier(
        () -> {
          String text = around.variable(variable);
          if (text == null) {
            throw new StoreException("the variable " + variable + " is not set", Location.UNKNOWN);
          }
          return SecretText.of(text, as);
        });
  }

  @Override
  public String name() {
    return "the environment";
  }

  @Override
  public String advice() {
    return "set " + variable;
  }

  /** The name of the variable, without its value. */
  @Override
  public String toString() {
    return "TokenInVariable[" + variable + "]";
  }
}
