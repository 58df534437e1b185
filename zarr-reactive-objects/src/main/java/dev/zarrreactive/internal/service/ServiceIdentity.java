package dev.zarrreactive.internal.service;

import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Who asks: the credential of a source goes with each request. After a refusal that the end of a
 * credential explains, the request is sent once more with the next one.
 */
public final class ServiceIdentity {
  private final ObjectService service;
  private final CredentialSource source;
  private final Credentials credentials;

  /** The credentials of {@code source} for {@code service}. */
  public ServiceIdentity(ObjectService service, CredentialSource source) {
    this.service = service;
    this.source = source;
    this.credentials = Credentials.of(source);
  }

  /** Returns the source of a bearer token that a program gives, without an expiry. */
  public static CredentialSource bearer(Mono<String> token) {
    return CredentialSource.of(
        "the bearer token that was set",
        token.map(text -> ExpiringCredential.lasting(Credential.bearer(text))));
  }

  /** The service that is asked. */
  ObjectService service() {
    return service;
  }

  /** Sends a request with the credential at hand; its refusal is a {@link ServiceRefusal}. */
  <T> Mono<T> with(Function<HeldCredential, Mono<T>> request) {
    return Mono.defer(
        () -> {
          HeldCredential known = credentials.known();
          return known != null
              ? send(known, request, 0)
              : credentials.current().flatMap(held -> send(held, request, 0));
        });
  }

  private <T> Mono<T> send(
      HeldCredential held, Function<HeldCredential, Mono<T>> request, int renewals) {
    return request
        .apply(held)
        .doOnNext(value -> held.accepted())
        .doOnError(
            ServiceRefusal.class,
            answer -> {
              if (!answer.isRefused()) {
                held.accepted();
              }
            })
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && answer.isRefused(),
            e ->
                credentials.again(
                    held,
                    service.saysInvalidCredential((ServiceRefusal) e),
                    renewals,
                    next -> send(next, request, renewals + 1),
                    Mono.error(e)));
  }

  /** Returns true where requests go without a credential. */
  public boolean isAnonymous() {
    HeldCredential held = credentials.latest();
    return held != null && held.credential() instanceof Credential.Anonymous;
  }

  /** Returns the end of a message on a refusal: whose credential it was, and what to set. */
  public String refusal() {
    if (!isAnonymous()) {
      return credentials.refusal();
    }
    String advice = source.advice();
    return "; the request had no credential" + (advice.isEmpty() ? "" : ": " + advice);
  }
}
