package dev.zarrreactive.internal.service;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.credential.Credential;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A service that takes headers as credentials, and says of a missing value that it is {@code Gone}.
 */
final class ServiceOfTests implements ObjectService {
  @Override
  public Proof proof(Credential credential) {
    if (!(credential instanceof Credential.Headers given)) {
      throw new UnsupportedFeatureException(
          "this service takes headers, not " + credential.kind(), Location.UNKNOWN);
    }
    return given::headers;
  }

  @Override
  public Missing missing(ServiceRefusal answer) {
    return answer.code().equals("Gone") ? Missing.VALUE : Missing.UNTOLD;
  }

  @Override
  public String smallestListing() {
    return "list";
  }

  @Override
  public Mono<Boolean> found(ServiceRefusal answer, boolean isKnown) {
    return Mono.just(false);
  }

  @Override
  public String hint(String code) {
    return code.equals("Locked") ? "unlock the value first" : "";
  }

  @Override
  public String unexplained(
      ServiceRefusal answer, ServiceSettings settings, ServiceIdentity identity) {
    return "; no box " + settings.container() + " is there";
  }

  @Override
  public @Nullable Version version(HttpHeaders headers) {
    return ResponseHead.version(headers);
  }

  @Override
  public Map<String, String> ifVersion(Version required) {
    return Map.of("if-match", required.tag());
  }

  @Override
  public Map<String, String> unlessVersion(Version known) {
    return Map.of("if-none-match", known.tag());
  }

  @Override
  public Map<String, String> ifErased(Version version) {
    return version.tag().startsWith("W/") ? Map.of() : ifVersion(version);
  }

  @Override
  public String noCondition() {
    return "it is weak";
  }

  @Override
  public boolean saysConditionFails(ServiceRefusal answer) {
    return answer.status() == 412;
  }
}
