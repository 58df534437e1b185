package dev.zarrreactive.credentials;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.CredentialSourceProvider;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sources of this module for the option {@code credentials}, with the settings {@code
 * credentials.KEY}:
 *
 * <ul>
 *   <li>{@code anonymous}: nothing is sent;
 *   <li>{@code environment}: the variable {@code variable}, which is {@code as};
 *   <li>{@code file}: the file {@code path}, which is {@code as}, and read again after {@code
 *       refresh} (such as {@code PT30S}; a minute by default), near its expiry and after a refusal;
 *   <li>{@code netrc}: the line of the store's host in {@code path}, or {@code .netrc};
 *   <li>{@code earthdata}: the token of {@code EARTHDATA_TOKEN}, or of the user in {@code .netrc};
 *       for a bucket the keys of the service {@code endpoint}, from machines in {@code region};
 *   <li>{@code planetary-computer}: a signature for the container of the store, or for {@code
 *       account} and {@code container};
 *   <li>{@code hugging-face}: the token of {@code HF_TOKEN}, or of the log-in; nothing without one.
 * </ul>
 *
 * <p>{@code as} is {@code bearer} (the default), {@code query} for a signature, {@code aws} for
 * JSON with keys of AWS, or the name of a header. The class is public for {@link
 * java.util.ServiceLoader} only.
 */
public final class CredentialsByName implements CredentialSourceProvider {
  private static final String AS = "as";
  private static final String PATH = "path";
  private static final String VARIABLE = "variable";
  private static final String REFRESH = "refresh";
  private static final String ENDPOINT = "endpoint";
  private static final String REGION = "region";
  private static final String LOGIN = "login";
  private static final String ACCOUNT = "account";
  private static final String CONTAINER = "container";

  /** The settings of each source, by its name. */
  private static final Map<String, List<String>> NAMES =
      Map.of(
          "anonymous", List.of(),
          "environment", List.of(VARIABLE, AS),
          "file", List.of(PATH, AS, REFRESH),
          "netrc", List.of(PATH),
          "earthdata", List.of(ENDPOINT, REGION, LOGIN),
          "planetary-computer", List.of(ACCOUNT, CONTAINER, ENDPOINT),
          "hugging-face", List.of(ENDPOINT));

  private final Surroundings around;

  /** Called by {@link java.util.ServiceLoader}. */
  public CredentialsByName() {
    this(Surroundings.ofProcess());
  }

  CredentialsByName(Surroundings around) {
    this.around = around;
  }

  @Override
  public Set<String> names() {
    return NAMES.keySet();
  }

  @Override
  public CredentialSource source(String name, URI store, StoreOptions settings) {
    List<String> known = NAMES.getOrDefault(name, List.of());
    for (String each : settings.names()) {
      if (!known.contains(each)) {
        throw new IllegalArgumentException(
            "not a setting of the credentials "
                + name
                + ": credentials."
                + each
                + (known.isEmpty() ? "; they have none" : "; the settings are " + known));
      }
    }
    return switch (name) {
      case "anonymous" -> CredentialSource.fixed(Credential.anonymous());
      case "environment" ->
          new TokenInVariable(needed(name, settings, VARIABLE), as(settings), around);
      case "file" ->
          new FileSource(
              needed(name, settings, PATH),
              as(settings),
              settings.get(REFRESH) == null ? FileSource.REFRESH : refresh(settings),
              around);
      case "netrc" -> new NetrcSource(settings.get(PATH), host(store), around);
      case "earthdata" -> earthdata(store, settings);
      case "planetary-computer" -> planetaryComputer(store, settings);
      case "hugging-face" -> huggingFace(store, settings);
      default -> throw new IllegalArgumentException("no credentials are named " + name);
    };
  }

  private static String needed(String name, StoreOptions settings, String key) {
    if (settings.get(key) == null) {
      throw new IllegalArgumentException(
          "the credentials " + name + " need the setting credentials." + key);
    }
    return settings.text(key);
  }

  private static String as(StoreOptions settings) {
    String as = settings.get(AS);
    return as == null ? SecretText.BEARER : as;
  }

  private static Duration refresh(StoreOptions settings) {
    Duration refresh = settings.duration(REFRESH);
    if (refresh.isNegative() || refresh.isZero()) {
      throw new IllegalArgumentException(REFRESH + " is longer than no time");
    }
    return refresh;
  }

  private static String host(URI store) {
    String host = store.getHost();
    if (host == null) {
      throw new IllegalArgumentException(".netrc has lines for hosts, and the URL has none");
    }
    return host;
  }

  private CredentialSource earthdata(URI store, StoreOptions settings) {
    boolean isBucket = "s3".equalsIgnoreCase(store.getScheme());
    String endpoint = settings.get(ENDPOINT);
    if (isBucket && endpoint == null) {
      throw new IllegalArgumentException(
          "a bucket of Earthdata has a service for its keys: set credentials.endpoint to the URL"
              + " that its page names, such as"
              + " https://archive.podaac.earthdata.nasa.gov/s3credentials");
    }
    String region = settings.get(REGION);
    return new EarthdataSource(
        endpoint == null ? null : service(ENDPOINT, endpoint),
        settings.get(LOGIN) == null ? EarthdataSource.LOGIN : service(LOGIN, settings.text(LOGIN)),
        region == null ? EarthdataSource.REGION : region,
        around);
  }

  private CredentialSource planetaryComputer(URI store, StoreOptions settings) {
    AzureContainer found = AzureContainer.of(store);
    String account = settings.get(ACCOUNT);
    String container = settings.get(CONTAINER);
    account = account == null ? found.account() : account;
    container = container == null ? found.container() : container;
    if (account == null || container == null) {
      throw new IllegalArgumentException(
          "Planetary Computer signs for a container: the URL is"
              + " https://ACCOUNT.blob.core.windows.net/CONTAINER/..., or set credentials.account"
              + " and credentials.container");
    }
    if (!AzureContainer.isName(account) || !AzureContainer.isName(container)) {
      throw new IllegalArgumentException("no account or no container of Azure has such a name");
    }
    String endpoint = settings.get(ENDPOINT);
    return new PlanetaryComputerSource(
        endpoint == null ? PlanetaryComputerSource.SERVICE : service(ENDPOINT, endpoint),
        account,
        container,
        around);
  }

  /** The token goes to the hub alone. */
  private CredentialSource huggingFace(URI store, StoreOptions settings) {
    String given = settings.get(ENDPOINT);
    URI hub = given == null ? HuggingFaceUrl.hub(around) : service(ENDPOINT, given);
    if (!String.valueOf(hub.getHost()).equals(store.getHost())
        || hub.getPort() != store.getPort()) {
      throw new IllegalArgumentException(
          "the token of Hugging Face is for URLs of " + hub.getHost() + " and for hf: URLs");
    }
    return new HuggingFaceSource(around);
  }

  private static URI service(String setting, String text) {
    @Nullable URI url;
    try {
      url = URI.create(text);
    } catch (IllegalArgumentException e) {
      url = null; // its message shows the text
    }
    if (url == null
        || url.getHost() == null
        || !("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
        || url.getRawUserInfo() != null) {
      throw new IllegalArgumentException("credentials." + setting + " is a URL of HTTPS");
    }
    return url;
  }
}
