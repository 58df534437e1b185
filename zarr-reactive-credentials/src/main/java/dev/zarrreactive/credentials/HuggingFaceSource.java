package dev.zarrreactive.credentials;

import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The token of Hugging Face: in the variable {@code HF_TOKEN}, or in the file that its log-in
 * writes. Without one the store asks as anybody.
 */
record HuggingFaceSource(Surroundings around) implements CredentialSource {
  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.defer(
        () -> {
          String token = around.variable("HF_TOKEN");
          return token != null
              ? Mono.just(SecretText.of(token, SecretText.BEARER))
              : Surroundings.read(file())
                  .filter(text -> !text.isBlank())
                  .map(text -> SecretText.of(text, SecretText.BEARER))
                  .defaultIfEmpty(ExpiringCredential.lasting(Credential.anonymous()));
        });
  }

  private Path file() {
    @Nullable String file = around.variable("HF_TOKEN_PATH");
    String home = around.variable("HF_HOME");
    return around.path(
        Objects.requireNonNullElse(
            file, Objects.requireNonNullElse(home, "~/.cache/huggingface") + "/token"));
  }

  @Override
  public String name() {
    return "Hugging Face";
  }

  @Override
  public String advice() {
    return "set HF_TOKEN to a token that may read it";
  }
}
