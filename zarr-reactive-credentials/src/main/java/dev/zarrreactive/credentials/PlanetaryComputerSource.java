package dev.zarrreactive.credentials;

import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import io.netty.handler.codec.http.HttpMethod;
import java.net.URI;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * A shared access signature of Microsoft's Planetary Computer for a container of Azure. Everybody
 * gets one; with a key in the variable {@code PC_SDK_SUBSCRIPTION_KEY} more often.
 *
 * @param service the URL before account and container
 */
record PlanetaryComputerSource(URI service, String account, String container, Surroundings around)
    implements CredentialSource {
  static final URI SERVICE = URI.create("https://planetarycomputer.microsoft.com/api/sas/v1/token");

  private static final String KEY = "PC_SDK_SUBSCRIPTION_KEY";

  @Override
  public Mono<ExpiringCredential> credential() {
    Mono<ExpiringCredential> found =
        Mono.defer(
            () -> {
              String key = around.variable(KEY);
              URI url = URI.create(service + "/" + account + "/" + container);
              return TokenService.ask(
                      HttpMethod.GET,
                      url,
                      key == null ? Map.of() : Map.of("ocp-apim-subscription-key", key))
                  .map(
                      answer ->
                          SecretText.until(
                              Expiries.parse(TokenService.text(answer, url, "msft:expiry")),
                              new Credential.Query(TokenService.text(answer, url, "token"))));
            });
    return found.onErrorMap(e -> TokenService.advised(e, advice()));
  }

  @Override
  public String name() {
    return "Planetary Computer for " + account + "/" + container;
  }

  @Override
  public String advice() {
    return "is the container one of its datasets? A key in " + KEY + " allows more requests";
  }
}
