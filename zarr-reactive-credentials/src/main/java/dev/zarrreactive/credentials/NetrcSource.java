package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.netrc.Netrc;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
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
    return authorization()
        .map(
            basic ->
                ExpiringCredential.lasting(new Credential.Headers(Map.of("authorization", basic))));
  }

  /** Emits the header of the machine; an error where there is no line for it. */
  Mono<String> authorization() {
    return Mono.defer(
        () -> {
          Path path = path();
          return FileThreads.call(
                  () -> Optional.ofNullable(authorization(path)),
                  e ->
                      new StoreException(
                          path + " cannot be read: " + e.getMessage(), Location.UNKNOWN, e))
              .flatMap(Mono::justOrEmpty)
              .switchIfEmpty(
                  Mono.error(
                      () ->
                          new StoreException(
                              path
                                  + " has no line for the machine "
                                  + machine
                                  + "; write one: machine "
                                  + machine
                                  + " login NAME password PASSWORD",
                              Location.UNKNOWN)));
        });
  }

  private @Nullable String authorization(Path path) throws IOException {
    try {
      return Netrc.read(path).authorization(machine);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private Path path() {
    String given = file == null ? around.variable("NETRC") : file;
    return around.path(given == null ? "~/.netrc" : given);
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
