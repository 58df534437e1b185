package dev.zarrreactive.azure;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.internal.service.ObjectService;
import dev.zarrreactive.internal.service.ServiceIdentity;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequest;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.internal.transfer.HttpDate;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.credential.Credential;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What the service of Azure does in its way. */
final class AzureService implements ObjectService {
  /** The one service: it has no settings. */
  static final AzureService AZURE = new AzureService();

  private static final String VERSION = "x-ms-version";

  /** The version of the REST API, which has names in listings that XML cannot express. */
  private static final String API = "2021-12-02";

  /** The header with the code of an error, which a response to HEAD has, too. */
  private static final String CODE = "x-ms-error-code";

  private static final Pattern AT_THE_END =
      Pattern.compile("bytes (\\d{1,18})-\\d{1,18}/(\\d{1,18})");

  /** What helps, by the code of the server. */
  private static final Map<String, String> HINTS =
      Map.of(
          "ContainerNotFound", "create the container first, or look at its name and the account",
          "AuthenticationFailed",
              "the key or the signature is wrong or has expired, or the clock of this machine is"
                  + " wrong",
          "AuthorizationPermissionMismatch",
              "the credential lacks a permission: the role Storage Blob Data Reader reads, Storage"
                  + " Blob Data Contributor writes",
          "PublicAccessNotPermitted", "the account allows no request without a credential",
          "LeaseIdMissing", "another program holds a lease on the blob",
          "SnapshotsPresent", "the blob has snapshots: erase them first",
          "BlobArchived", "the blob is in the archive tier: rehydrate it first",
          "InvalidBlockList",
              "another writer has replaced the value while the blocks of this one were sent");

  private AzureService() {}

  /** Encodes the value of a parameter of a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public Proof proof(Credential credential) {
    if (credential instanceof Credential.AccountKey key) {
      return new Signature(new SharedKey(key));
    }
    if (credential instanceof Credential.Query sas) {
      return new AccessSignature(sas);
    }
    Map<String, String> headers = new TreeMap<>(Map.of(VERSION, API));
    if (credential instanceof Credential.Headers given) {
      headers.putAll(given.headers());
    } else if (!(credential instanceof Credential.Anonymous)) {
      throw new UnsupportedFeatureException(
          "a store in Azure takes the key of an account, a shared access signature, a bearer token"
              + " or no credential, not "
              + credential.kind(),
          Location.UNKNOWN);
    }
    return () -> headers;
  }

  /** The key of the account, which signs each request. */
  private record Signature(SharedKey key) implements Proof {
    @Override
    public Map<String, String> headers() {
      return Map.of(VERSION, API);
    }

    @Override
    public ServiceRequest signed(ServiceRequest request) {
      SortedMap<String, String> headers = new TreeMap<>(request.headers());
      headers.put(VERSION, API);
      headers.put("x-ms-date", HttpDate.format(Instant.now()));
      if (request.length() > 0) {
        headers.put("content-length", Long.toString(request.length()));
      }
      String signed = key.authorization(request.method().name(), request.url(), headers);
      headers.remove("content-length");
      headers.put("authorization", signed);
      return request.withHeaders(headers);
    }
  }

  /** A shared access signature, which is a query of each request. */
  private record AccessSignature(Credential.Query sas) implements Proof {
    @Override
    public Map<String, String> headers() {
      return Map.of(VERSION, API);
    }

    @Override
    public ServiceRequest signed(ServiceRequest request) {
      return request.withQuery(sas.query());
    }
  }

  @Override
  public @Nullable String code(HttpHeaders headers) {
    return headers.get(CODE);
  }

  /** The service hides a private container from requests without a credential. */
  @Override
  public Missing missing(ServiceRefusal answer) {
    return switch (answer.code()) {
      case "BlobNotFound" -> Missing.VALUE;
      case "ContainerNotFound", "ContainerBeingDeleted", "ContainerDisabled" -> Missing.CONTAINER;
      default -> Missing.UNTOLD;
    };
  }

  @Override
  public String smallestListing() {
    return "restype=container&comp=list&maxresults=1";
  }

  @Override
  public Mono<Boolean> found(ServiceRefusal answer, boolean isKnown) {
    return answer.isMissing() || answer.isRefused() ? Mono.just(false) : Mono.error(answer);
  }

  @Override
  public String hint(String code) {
    return HINTS.getOrDefault(code, "");
  }

  @Override
  public boolean saysInvalidCredential(ServiceRefusal answer) {
    return switch (answer.code()) {
      case "AuthenticationFailed", "InvalidAuthenticationInfo", "ExpiredToken" -> true;
      default -> answer.status() == 401;
    };
  }

  @Override
  public boolean mayPass(ServiceRefusal answer) {
    return answer.code().equals("InvalidBlockList") || ObjectService.super.mayPass(answer);
  }

  @Override
  public String unexplained(
      ServiceRefusal answer, ServiceSettings settings, ServiceIdentity identity) {
    return switch (answer.code()) {
      case "BlobNotFound", "ContainerNotFound" -> "";
      default ->
          "; no container "
              + settings.container()
              + " can be seen at "
              + settings.endpoint()
              + (identity.isAnonymous()
                  ? ": it is missing or private" + identity.refusal()
                  : ": are the container and the account right?");
    };
  }

  @Override
  public @Nullable Version version(HttpHeaders headers) {
    return ResponseHead.version(headers);
  }

  @Override
  public Map<String, String> ifVersion(Version required) {
    return ifErased(required);
  }

  @Override
  public Map<String, String> unlessVersion(Version known) {
    return Map.of("if-none-match", known.tag());
  }

  @Override
  public Map<String, String> ifErased(Version version) {
    String tag = ObjectVersion.of(version).strong();
    return tag == null ? Map.of() : Map.of("if-match", tag);
  }

  @Override
  public String noCondition() {
    return "it has no strong ETag";
  }

  @Override
  public boolean saysConditionFails(ServiceRefusal answer) {
    return answer.code().equals("ConditionNotMet");
  }

  @Override
  public boolean comparesMissing() {
    return true;
  }

  /** Azurite answers so to a range at the end of the value; the service answers 416. */
  @Override
  public long totalOfNothing(HttpHeaders headers) {
    String range = headers.get(HttpHeaderNames.CONTENT_RANGE);
    Matcher nothing = AT_THE_END.matcher(range == null ? "" : range);
    return nothing.matches() && nothing.group(1).equals(nothing.group(2))
        ? Long.parseLong(nothing.group(1))
        : -1;
  }
}
