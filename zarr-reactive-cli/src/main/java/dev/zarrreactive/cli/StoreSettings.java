package dev.zarrreactive.cli;

import dev.zarrreactive.store.StoreOptions;
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

/** What the stores of one command are told; values are in no error. */
final class StoreSettings {
  private static final Pattern CREDENTIAL =
      Pattern.compile("(?i).*(token|secret|password|credential|key).*");

  private final CommandSpec spec;
  private final Map<String, String> environment;
  private final Secrets secrets;
  private final List<StoreSetting> settings = new ArrayList<>();
  private final Set<String> headers = new HashSet<>();

  /**
   * Nothing yet.
   *
   * @param spec the command, for errors
   * @param environment the variables of the process
   * @param secrets is told of values that are secret
   */
  StoreSettings(CommandSpec spec, Map<String, String> environment, Secrets secrets) {
    this.spec = spec;
    this.environment = environment;
    this.secrets = secrets;
  }

  /** Adds what was given: not null, and not false. */
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
    add(option, StoreReach.HTTP, "bearer-token", token);
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

  private void checkNoCredential(String option, NamedValue setting) {
    if (setting.name().startsWith("header.")) {
      throw wrong(option + " sets no headers; --header and --header-env do");
    }
    if (CREDENTIAL.matcher(setting.name()).matches()) {
      throw wrong(
          option
              + " takes no credentials; they come from the environment, as with --bearer-token-env,"
              + " or from a profile");
    }
  }

  /** The value of an environment variable; its name may be a secret, too, by mistake. */
  String variable(String option, String name) {
    String value = environment.getOrDefault(name, "").strip();
    if (value.isEmpty()) {
      throw wrong(option + " names an environment variable that is not set");
    }
    secrets.add(value);
    return value;
  }

  /**
   * Checks that each setting is for one of the stores.
   *
   * @throws ParameterException where one is for none
   */
  StoreSettings checkedFor(String... locations) {
    for (StoreSetting setting : settings) {
      boolean fits = false;
      for (String location : locations) {
        fits |= setting.reach().includes(LocationText.scheme(location));
      }
      if (!fits) {
        throw wrong(setting.option() + " is for " + setting.reach() + misfit(locations));
      }
    }
    return this;
  }

  private static String misfit(String... locations) {
    List<String> shown = new ArrayList<>();
    for (String location : locations) {
      shown.add(LocationText.shown(location));
    }
    return shown.isEmpty() ? "; there is none here" : ", not for " + String.join(" or ", shown);
  }

  /** Those of them that are for the store at {@code location}. */
  StoreOptions of(String location) {
    String scheme = LocationText.scheme(location);
    StoreOptions options = StoreOptions.none();
    for (StoreSetting setting : settings) {
      if (setting.reach().includes(scheme)) {
        options = options.with(setting.name(), setting.value());
      }
    }
    return options;
  }

  /** As {@link #of(String)}, with what the user says of this store alone. */
  StoreOptions of(String location, String option, List<NamedValue> own) {
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

  /** The error that a user sees who wrote what cannot be. */
  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
