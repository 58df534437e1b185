package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * NASA's Earthdata: a token for its servers over HTTPS, or keys of AWS for its buckets. The token
 * is in a variable, or comes from the log-in service for the user of {@code .netrc}.
 *
 * @param keys the URL of a service that gives out keys, such as {@code https://.../s3credentials};
 *     null for a token
 * @param login the URL of the log-in service
 * @param region of the machines from which the keys work; {@code any} checks none
 */
record EarthdataSource(@Nullable URI keys, URI login, String region, Surroundings around)
    implements CredentialSource {
  static final URI LOGIN = URI.create("https://urs.earthdata.nasa.gov");
  static final String REGION = "us-west-2";
  static final String ANY_REGION = "any";

  private static final String TOKEN = "EARTHDATA_TOKEN";

  @Override
  public Mono<ExpiringCredential> credential() {
    URI service = keys;
    Mono<ExpiringCredential> found =
        service == null
            ? token()
            : Mono.defer(
                () -> {
                  checkRegion();
                  return token().flatMap(token -> keys(service, token));
                });
    return found.onErrorMap(e -> TokenService.advised(e, advice()));
  }

  private Mono<ExpiringCredential> token() {
    return Mono.defer(
        () -> {
          String given = around.variable(TOKEN);
          return given == null
              ? new NetrcSource(null, login.getHost(), around)
                  .authorization()
                  .onErrorMap(
                      StoreException.class,
                      e ->
                          new StoreException(
                              TOKEN + " is not set, and " + e.statement(), Location.UNKNOWN))
                  .flatMap(this::token)
              : Mono.just(SecretText.of(given, SecretText.BEARER));
        });
  }

  /** The service keeps at most two tokens of a user, and gives out the newest. */
  private Mono<ExpiringCredential> token(String user) {
    URI service = login.resolve("/api/users/find_or_create_token");
    return TokenService.ask(HttpMethod.POST, service, Map.of("authorization", user))
        .map(
            answer ->
                SecretText.until(
                    Expiries.parse(TokenService.text(answer, service, "expiration_date")),
                    Credential.bearer(TokenService.text(answer, service, "access_token"))));
  }

  private static Mono<ExpiringCredential> keys(URI service, ExpiringCredential token) {
    return TokenService.ask(
            HttpMethod.GET, service, ((Credential.Headers) token.credential()).headers())
        .map(answer -> keys(service, answer));
  }

  private static ExpiringCredential keys(URI service, JsonObject answer) {
    Instant expiry = Expiries.parse(TokenService.text(answer, service, "expiration"));
    return SecretText.until(
        expiry,
        new Credential.AwsKeys(
            TokenService.text(answer, service, "accessKeyId"),
            TokenService.text(answer, service, "secretAccessKey"),
            TokenService.text(answer, service, "sessionToken")));
  }

  /** The keys are refused from elsewhere, without a reason. */
  private void checkRegion() {
    String here = around.variable("AWS_REGION");
    here = here == null ? around.variable("AWS_DEFAULT_REGION") : here;
    if (here != null && !region.equals(ANY_REGION) && !here.equals(region)) {
      throw new StoreException(
          "its keys work from machines in "
              + region
              + " alone, and AWS_REGION is "
              + here
              + "; elsewhere read over HTTPS, or set credentials.region=any to try",
          Location.UNKNOWN);
    }
  }

  @Override
  public String name() {
    return "Earthdata";
  }

  @Override
  public String advice() {
    return "set EARTHDATA_TOKEN, or write a line for the machine "
        + login.getHost()
        + " to ~/.netrc"
        + (keys == null ? "" : "; its keys work from machines in " + region + " alone");
  }
}
