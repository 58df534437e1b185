package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.internal.netrc.Netrc;
import dev.zarrreactive.store.StoreOptions;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The settings of the stores of one command. Errors do not show their values. */
public final class StoreSettings {
  private static final Pattern CREDENTIAL =
      Pattern.compile("(?i).*(token|secret|password|credential|key).*");

  /** The name of a source of credentials and its settings, which are no secrets. */
  private static final Pattern SOURCE =
      Pattern.compile(
          "credentials(\\.(token-file|(?![a-z-]*(token|secret|password|key))[a-z-]+))?");

  private final CommandSpec spec;
  private final Map<String, String> environment;
  private final Secrets secrets;
  private final List<StoreSetting> settings = new ArrayList<>();
  private final Set<String> headers = new HashSet<>();
  private @Nullable Netrc logins;

  /**
   * Creates empty settings.
   *
   * @param spec the command, for errors
   * @param environment the variables of the process
   * @param secrets collects the secret values
   */
  public StoreSettings(CommandSpec spec, Map<String, String> environment, Secrets secrets) {
    this.spec = spec;
    this.environment = environment;
    this.secrets = secrets;
  }

  /** Adds a value, unless it is null or false. */
  void add(String option, StoreReach reach, String name, @Nullable Object value) {
    if (value != null && !value.equals(false)) {
      settings.add(new StoreSetting(option, reach, name, value.toString()));
    }
  }

  /** Adds a header, once each. */
  void addHeader(String option, String name, String value) {
    checkHeader(option, name, value);
    add(option, StoreReach.HTTP, "header." + name, value);
  }

  /** Adds a bearer token, which is a header, too. */
  void addToken(String option, String token) {
    checkHeader(option, "Authorization", token);
    add(option, StoreReach.PROXIED, "bearer-token", token);
  }

  /** Adds the logins of the file that NETRC names, or of {@code ~/.netrc}. */
  void addLogins(String option) {
    if (!headers.add("authorization")) {
      throw wrong(option + ": the header Authorization is given already");
    }
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    String file = environment.getOrDefault("NETRC", home + File.separator + ".netrc");
    try {
      logins = Netrc.read(Path.of(file));
    } catch (NoSuchFileException e) {
      throw wrong(option + ": there is no " + file);
    } catch (IOException | InvalidPathException e) {
      throw wrong(option + ": " + file + " is not read: " + e.getMessage());
    }
    logins.passwords().forEach(secrets::add);
  }

  private void checkHeader(String option, String name, String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw wrong(option + ": the value has characters that no header can have");
    }
    if (!headers.add(name.toLowerCase(Locale.ROOT))) {
      throw wrong(option + ": the header " + name + " is given already");
    }
    secrets.add(value);
  }

  /** Adds an option of the store by its own name, but no credential. */
  void addNamed(String option, NamedValue setting) {
    checkNoCredential(option, setting);
    add(option, StoreReach.ANY, setting.name(), setting.value());
  }

  /**
   * Adds a source of credentials.
   *
   * @param source its name, and its settings behind semicolons
   */
  void addSource(String option, String source) {
    String[] parts = source.split(";", -1);
    add(option, StoreReach.ANY, "credentials", parts[0].strip());
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      String name = equals < 0 ? "" : "credentials." + parts[i].substring(0, equals).strip();
      if (!SOURCE.matcher(name).matches()) {
        throw wrong(
            option
                + " is the name of a source, with settings behind semicolons, such as"
                + " file;path=/run/token");
      }
      add(option, StoreReach.ANY, name, parts[i].substring(equals + 1).strip());
    }
  }

  /**
   * Allows a container of virtual chunks.
   *
   * @param container its prefix, and the options of its store behind a semicolon
   */
  void addVirtual(String option, String container) {
    int end = container.indexOf(';');
    String prefix = end < 0 ? container : container.substring(0, end);
    String own = end < 0 ? "" : container.substring(end + 1);
    if (prefix.isBlank() || hasCredential(own)) {
      throw wrong(
          option
              + " is a URL prefix, with options of its store behind a semicolon, but no"
              + " credentials; they come from the environment or from a profile, or a source:"
              + " credentials=NAME");
    }
    add(option, StoreReach.EVERY, "virtual:" + prefix, own);
  }

  private static boolean hasCredential(String options) {
    for (String each : options.split(";", -1)) {
      String name = each.replaceAll("=.*", "").strip();
      if (!SOURCE.matcher(name).matches() && CREDENTIAL.matcher(name).matches()) {
        return true;
      }
    }
    return false;
  }

  private void checkNoCredential(String option, NamedValue setting) {
    if (setting.name().startsWith("header.")) {
      throw wrong(option + " sets no headers; --header and --header-env do");
    }
    if (hasCredential(setting.name())) {
      throw wrong(
          option
              + " takes no credentials; they come from the environment, as with --bearer-token-env,"
              + " from a profile, or from a source: --credentials");
    }
  }

  /** Returns the value of an environment variable. Its name may by mistake be a secret, too. */
  String variable(String option, String name) {
    String value = environment.getOrDefault(name, "").strip();
    if (value.isEmpty()) {
      throw wrong(option + " names an environment variable that is not set");
    }
    secrets.add(value);
    return value;
  }

  /**
   * Checks that each setting applies to one of the stores.
   *
   * @throws ParameterException for a setting that applies to none
   */
  public StoreSettings checkedFor(String... locations) {
    for (StoreSetting setting : settings) {
      checkFits(setting.option(), setting.reach(), locations);
    }
    if (logins != null) {
      checkFits("--netrc", StoreReach.HTTP, locations);
    }
    return this;
  }

  private void checkFits(String option, StoreReach reach, String... locations) {
    boolean fits = false;
    for (String location : locations) {
      fits |= reach.includes(LocationText.scheme(location));
    }
    if (!fits) {
      throw wrong(option + " is for " + reach + misfit(locations));
    }
  }

  private static String misfit(String... locations) {
    List<String> shown = new ArrayList<>();
    for (String location : locations) {
      shown.add(LocationText.shown(location));
    }
    return shown.isEmpty() ? "; there is none here" : ", not for " + String.join(" or ", shown);
  }

  /** Returns the settings that apply to the store at {@code location}. */
  public StoreOptions of(String location) {
    String scheme = LocationText.scheme(location);
    StoreOptions options = StoreOptions.none();
    for (StoreSetting setting : settings) {
      if (setting.reach().includes(scheme)) {
        options = options.with(setting.name(), setting.value());
      }
    }
    String login = logins == null || !scheme.startsWith("http") ? null : login(logins, location);
    return login == null ? options : options.with("header.Authorization", login);
  }

  /** Returns the header of the host's login; null without one, or where the URL has its own. */
  private @Nullable String login(Netrc logins, String location) {
    URI url;
    try {
      url = LocationText.url(location);
    } catch (IllegalArgumentException e) {
      return null; // the store says the same, for people
    }
    String header =
        url.getHost() == null || url.getRawUserInfo() != null
            ? null
            : logins.authorization(url.getHost());
    if (header != null) {
      secrets.add(header);
    }
    return header;
  }

  /**
   * Returns the settings of a store, see {@link #of(String)}, with those that the user gave for it
   * alone.
   */
  public StoreOptions of(String location, String option, List<NamedValue> own) {
    StoreOptions options = of(location);
    for (NamedValue setting : own) {
      checkNoCredential(option, setting);
      if (!StoreReach.ANY.includes(LocationText.scheme(location))) {
        throw wrong(option + " is for " + StoreReach.ANY + misfit(location));
      }
      options = options.with(setting.name(), setting.value());
    }
    return options;
  }

  /** Returns the error of a wrong argument. */
  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
