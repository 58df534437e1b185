package dev.zarrreactive.internal.service;

import dev.zarrreactive.internal.objects.ErrorCodes;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.credential.Credential;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the services of clouds do each in its way. Its methods are called on event loops: they do
 * not block.
 */
public interface ObjectService {
  /** What proves to the service who asks; made once for each credential. */
  interface Proof {
    /** Returns the headers that all requests have. */
    Map<String, String> headers();

    /** Returns the request as it is sent, such as with a signature. */
    default ServiceRequest signed(ServiceRequest request) {
      return request;
    }
  }

  /** What the answer 404 says. */
  enum Missing {
    /** The value is missing. */
    VALUE,
    /** The container is missing, or hidden. */
    CONTAINER,
    /** The answer does not tell. */
    UNTOLD
  }

  /**
   * Returns the proof of a credential.
   *
   * @throws dev.zarrreactive.error.ZarrException for a kind of credentials that the service does
   *     not take
   */
  Proof proof(Credential credential);

  /** Returns true for the status of a request that did what it was asked for. */
  default boolean isDone(int status) {
    return status >= 200 && status < 300;
  }

  /** Returns the code of an error that its headers have; null for one that the body may have. */
  default @Nullable String code(HttpHeaders headers) {
    return null;
  }

  /**
   * Returns true for a response that only this service sends.
   *
   * @param code of an error; empty for none
   */
  default boolean isOwn(String code, HttpHeaders headers) {
    return false;
  }

  /** Returns what a 404 says by its code. */
  Missing missing(ServiceRefusal answer);

  /** Returns the query of the smallest listing of the container. */
  String smallestListing();

  /**
   * Emits from the refusal of the smallest listing whether the container is there; an error where
   * it does not tell.
   *
   * @param isKnown true where the server has answered as only this service does
   */
  Mono<Boolean> found(ServiceRefusal answer, boolean isKnown);

  /** Returns what helps against a code; empty where nothing is known to. */
  String hint(String code);

  /** Returns true for a refusal of whoever asks. */
  default boolean saysRefused(ServiceRefusal answer) {
    return answer.isRefused();
  }

  /** Returns true where the credential itself is not valid: another one may be. */
  default boolean saysInvalidCredential(ServiceRefusal answer) {
    return answer.status() == 401;
  }

  /** Returns true where the same request may succeed later, as its code says. */
  default boolean mayPass(ServiceRefusal answer) {
    return !saysRefused(answer) && ErrorCodes.mayPass(answer.code());
  }

  /** Returns the end of the message on a 404 that nothing explains; empty for another. */
  String unexplained(ServiceRefusal answer, ServiceSettings settings, ServiceIdentity identity);

  /** Returns the version of the value of a response; null where it has none. */
  @Nullable Version version(HttpHeaders headers);

  /** Returns the headers of a read of no other version; none where the service compares none. */
  Map<String, String> ifVersion(Version required);

  /** Returns the headers of a read of another version; none where the service compares none. */
  Map<String, String> unlessVersion(Version known);

  /** Returns true for a 304 whose value is not the known version all the same. */
  default boolean isOther(Version known, HttpHeaders headers) {
    return false;
  }

  /** Returns the headers of an erasure of one version; none where the version allows none. */
  Map<String, String> ifErased(Version version);

  /** Says why {@link #ifErased} has no headers. */
  String noCondition();

  /** Returns true for the answer that the condition of an erasure does not hold. */
  boolean saysConditionFails(ServiceRefusal answer);

  /** Returns true where the service says of a missing value, too, that its condition fails. */
  default boolean comparesMissing() {
    return false;
  }

  /** Returns the size of the value where a 206 has no byte of it; else -1. */
  default long totalOfNothing(HttpHeaders headers) {
    return -1;
  }
}
