package dev.zarrreactive.gcs;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Who asks: the credential of a source goes with each request. After a refusal that the end of a
 * credential explains, the request is sent once more with the next one.
 */
final class GcsIdentity {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final CredentialSource source;
  private final Credentials credentials;

  GcsIdentity(CredentialSource source) {
    this.source = source;
    this.credentials = Credentials.of(source);
  }

  /** Sends a request with the credential at hand; its refusal is a {@link GcsRefusal}. */
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
            GcsRefusal.class,
            answer -> {
              if (!isRefused(answer)) {
                held.accepted();
              }
            })
        .onErrorResume(
            e -> e instanceof GcsRefusal answer && isRefused(answer),
            e -> again(held, (GcsRefusal) e, request, renewals));
  }

  private <T> Mono<T> again(
      HeldCredential refused,
      GcsRefusal answer,
      Function<HeldCredential, Mono<T>> request,
      int renewals) {
    return credentials
        .renewedAfter(refused, answer.status() == UNAUTHORIZED, renewals)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            next ->
                next.isPresent() ? send(next.get(), request, renewals + 1) : Mono.error(answer));
  }

  private static boolean isRefused(GcsRefusal answer) {
    return answer.status() == UNAUTHORIZED || answer.status() == FORBIDDEN;
  }

  /** Returns the end of a message on a refusal: whose credential it was, and what to set. */
  String refusal() {
    HeldCredential held = credentials.latest();
    if (held == null || !(held.credential() instanceof Credential.Anonymous)) {
      return credentials.refusal();
    }
    String advice = source.advice();
    return "; the request had no credential" + (advice.isEmpty() ? "" : ": " + advice);
  }

  /** Returns the error for a kind of credentials that this service does not take. */
  static UnsupportedFeatureException refusal(Credential credential) {
    return new UnsupportedFeatureException(
        "a store at gs:// takes a bearer token or no credential, not "
            + credential.kind()
            + (credential instanceof Credential.AwsKeys
                ? "; HMAC keys of Google open s3://BUCKET/PATH with the option"
                    + " endpoint=https://storage.googleapis.com"
                : ""),
        Location.UNKNOWN);
  }
}
