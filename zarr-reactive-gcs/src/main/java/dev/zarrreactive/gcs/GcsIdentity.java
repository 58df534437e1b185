package dev.zarrreactive.gcs;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.store.credential.Credential;
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

  private final Credentials credentials;

  GcsIdentity(Credentials credentials) {
    this.credentials = credentials;
  }

  /** Sends a request with the credential at hand; its refusal is a {@link GcsRefusal}. */
  <T> Mono<T> with(Function<HeldCredential, Mono<T>> request) {
    return Mono.defer(
        () -> {
          HeldCredential known = credentials.known();
          return known != null
              ? first(known, request)
              : credentials.current().flatMap(held -> first(held, request));
        });
  }

  private <T> Mono<T> first(HeldCredential held, Function<HeldCredential, Mono<T>> request) {
    return request
        .apply(held)
        .doOnNext(value -> held.accepted())
        .onErrorResume(
            e -> e instanceof GcsRefusal answer && isRefused(answer),
            e -> again(held, (GcsRefusal) e, request));
  }

  private <T> Mono<T> again(
      HeldCredential refused, GcsRefusal answer, Function<HeldCredential, Mono<T>> request) {
    return credentials
        .renewedAfter(refused, answer.status() == UNAUTHORIZED)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            next ->
                next.isPresent()
                    ? request.apply(next.get()).doOnNext(value -> next.get().accepted())
                    : Mono.error(answer));
  }

  private static boolean isRefused(GcsRefusal answer) {
    return answer.status() == UNAUTHORIZED || answer.status() == FORBIDDEN;
  }

  /** Tells whose credential a refused request had, and what to set. */
  String shown() {
    HeldCredential held = credentials.known();
    boolean isNone = held != null && held.credential() instanceof Credential.Anonymous;
    String advice = credentials.source().advice();
    return (isNone ? "the request was sent without a credential: " : "the credential is that of ")
        + credentials.source().name()
        + (advice.isEmpty() ? "" : "; " + advice);
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
