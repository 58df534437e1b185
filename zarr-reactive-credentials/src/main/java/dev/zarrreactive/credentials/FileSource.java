package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Mono;

/**
 * A file with a secret that another program replaces, as Kubernetes does. It is read again after a
 * while, near the expiry that the secret tells, and after a refusal.
 *
 * @param as what it is; see {@link SecretText}
 * @param refresh after which it is read again
 */
record FileSource(String file, String as, Duration refresh, Surroundings around)
    implements CredentialSource {
  /** Kubernetes writes a token anew after four fifths of its life, which is ten minutes or more. */
  static final Duration REFRESH = Duration.ofMinutes(1);

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.defer(
        () -> {
          Path path = around.path(file);
          return Surroundings.read(path)
              .switchIfEmpty(
                  Mono.error(
                      () ->
                          new StoreException(
                              "the file " + path + " is missing or empty", Location.UNKNOWN)))
              .map(text -> SecretText.of(text, as).renewedAfter(Instant.now().plus(refresh)));
        });
  }

  @Override
  public String name() {
    return "the file " + file;
  }

  @Override
  public String advice() {
    return "write another one to the file";
  }
}
