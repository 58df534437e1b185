package dev.zarrreactive.gcs;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.objects.ErrorCodes;
import dev.zarrreactive.internal.service.ObjectService;
import dev.zarrreactive.internal.service.ServiceIdentity;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.credential.Credential;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What Google's service does in its way.
 *
 * @param userProject the project that pays for requests; null for that of the bucket
 */
record GcsService(@Nullable String userProject) implements ObjectService {
  /** The condition on the generation of an object; 0 for one that is missing. */
  static final String IF_GENERATION = "x-goog-if-generation-match";

  /** The answer to a part of an upload that goes on. */
  private static final int RESUME_INCOMPLETE = 308;

  private static final int PRECONDITION_FAILED = 412;
  private static final String ACCOUNT = "the account of the credential lacks a permission";

  /** What helps, by the code of the server. */
  private static final Map<String, String> HINTS =
      Map.of(
          "NoSuchBucket", "create the bucket first, or look at its name",
          "UserProjectMissing",
              "the reader of this bucket pays: name a project of yours with the option user-project",
          "UserProjectAccessDenied",
              ACCOUNT + " to have the project pay (serviceusage.services.use)",
          "UserProjectAccountProblem", "the project of the option user-project cannot be billed",
          "RequestTimeTooSkewed", "the clock of this machine is wrong",
          "SignatureDoesNotMatch", "the secret does not belong to the access ID",
          "InvalidSecurity", "the server does not know the access ID");

  @Override
  public Proof proof(Credential credential) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (userProject != null) {
      headers.put("x-goog-user-project", userProject);
    }
    if (credential instanceof Credential.Headers given) {
      headers.putAll(given.headers());
    } else if (!(credential instanceof Credential.Anonymous)) {
      throw refusal(credential);
    }
    return () -> headers;
  }

  private static UnsupportedFeatureException refusal(Credential credential) {
    return new UnsupportedFeatureException(
        "a store at gs:// takes a bearer token or no credential, not "
            + credential.kind()
            + (credential instanceof Credential.AwsKeys
                ? "; HMAC keys of Google open s3://BUCKET/PATH with the option"
                    + " endpoint=https://storage.googleapis.com"
                : ""),
        Location.UNKNOWN);
  }

  @Override
  public boolean isDone(int status) {
    return ObjectService.super.isDone(status) || status == RESUME_INCOMPLETE;
  }

  @Override
  public boolean isOwn(String code, HttpHeaders headers) {
    return !code.isEmpty()
        || headers.contains("x-guploader-uploadid")
        || headers.contains("x-goog-generation")
        || headers.contains("x-goog-hash");
  }

  @Override
  public Missing missing(ServiceRefusal answer) {
    return answer.code().equals("NoSuchBucket") ? Missing.CONTAINER : Missing.UNTOLD;
  }

  @Override
  public String smallestListing() {
    return "list-type=2&max-keys=1";
  }

  /**
   * A bucket that may not be listed is there if the server is this service; emulators tell none.
   */
  @Override
  public Mono<Boolean> found(ServiceRefusal answer, boolean isKnown) {
    return Mono.just(!answer.isMissing() && isKnown);
  }

  @Override
  public String hint(String code) {
    return HINTS.getOrDefault(code, "");
  }

  @Override
  public boolean saysRefused(ServiceRefusal answer) {
    return ErrorCodes.saysRefused(answer.status(), answer.code());
  }

  @Override
  public String unexplained(
      ServiceRefusal answer, ServiceSettings settings, ServiceIdentity identity) {
    return answer.code().isEmpty()
        ? "; no bucket "
            + settings.container()
            + " is at "
            + settings.endpoint()
            + ": are the bucket and the endpoint right?"
        : "";
  }

  @Override
  public @Nullable Version version(HttpHeaders headers) {
    return Generation.of(headers).version();
  }

  @Override
  public Map<String, String> ifVersion(Version required) {
    Generation generation = Generation.of(required);
    if (generation.number() != null) {
      return Map.of(IF_GENERATION, generation.number());
    }
    String etag = generation.etag();
    return etag == null || etag.startsWith("W/") ? Map.of() : Map.of("if-match", etag);
  }

  /** The ETag: the service has no condition that a generation differs. */
  @Override
  public Map<String, String> unlessVersion(Version known) {
    String etag = Generation.of(known).etag();
    return etag == null ? Map.of() : Map.of("if-none-match", etag);
  }

  /** True for a value that was written again: an ETag may be that of equal bytes. */
  @Override
  public boolean isOther(Version known, HttpHeaders headers) {
    return Generation.of(known).differsFrom(Generation.of(headers));
  }

  @Override
  public Map<String, String> ifErased(Version version) {
    String number = Generation.of(version).number();
    return number == null ? Map.of() : Map.of(IF_GENERATION, number);
  }

  @Override
  public String noCondition() {
    return "that version has no generation";
  }

  @Override
  public boolean saysConditionFails(ServiceRefusal answer) {
    return answer.status() == PRECONDITION_FAILED;
  }
}
