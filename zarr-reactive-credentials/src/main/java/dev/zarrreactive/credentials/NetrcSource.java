package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The user and the password of a machine in a file {@code .netrc}, for basic authentication.
 *
 * @param file null for that of {@code NETRC}, or {@code .netrc} in the directory of the user
 */
record NetrcSource(@Nullable String file, String machine, Surroundings around)
    implements CredentialSource {
  @Override
  public Mono<ExpiringCredential> credential() {
    return entry()
        .map(
            entry ->
                ExpiringCredential.lasting(
                    new Credential.Headers(Map.of("authorization", basic(entry)))));
  }

  /** Emits the entry of the machine; an error where there is none. */
  Mono<Netrc> entry() {
    return Mono.defer(
        () -> {
          Path path = path();
          return Surroundings.read(path)
              .mapNotNull(text -> Netrc.find(text, machine))
              .switchIfEmpty(
                  Mono.error(
                      () ->
                          new StoreException(
                              path + " has no line for the machine " + machine, Location.UNKNOWN)));
        });
  }

  private Path path() {
    String given = file == null ? around.variable("NETRC") : file;
    return around.path(given == null ? "~/.netrc" : given);
  }

  static String basic(Netrc entry) {
    byte[] utf8 = (entry.login() + ":" + entry.password()).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(utf8);
  }

  @Override
  public String name() {
    return ".netrc";
  }

  @Override
  public String advice() {
    return "write a line to ~/.netrc: machine " + machine + " login NAME password PASSWORD";
  }

  /** The machine, without secrets. */
  @Override
  public String toString() {
    return "NetrcSource[" + machine + "]";
  }
}
