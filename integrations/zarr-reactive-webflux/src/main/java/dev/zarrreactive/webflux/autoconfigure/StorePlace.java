package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.TlsMaterial;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * Where a store is, and how it is reached.
 *
 * @param location null where nothing tells it
 * @param texts the options by name
 * @param credentials null for those that an option names, or none
 * @param bundle of certificates; null for those of the system
 */
record StorePlace(
    @Nullable String location,
    Map<String, String> texts,
    @Nullable CredentialSource credentials,
    @Nullable SslBundle bundle) {
  /** The name of the option for a source of credentials, and the prefix of its settings. */
  private static final String CREDENTIALS = "credentials";

  /**
   * Returns the place of properties.
   *
   * @throws IllegalArgumentException where they contradict each other, or name no bundle
   */
  static StorePlace of(ZarrProperties.Place properties, ObjectProvider<SslBundles> bundles) {
    ZarrProperties.Keys keys = properties.credentials();
    CredentialSource source = keys == null ? null : keys.source();
    ZarrProperties.Ssl ssl = properties.ssl();
    String bundle = ssl == null ? null : ssl.bundle();
    return new StorePlace(
        properties.location(),
        properties.store(),
        source,
        bundle == null ? null : bundle(bundle, bundles.getIfAvailable()));
  }

  private static SslBundle bundle(String name, @Nullable SslBundles all) {
    try {
      if (all != null) {
        return all.getBundle(name);
      }
    } catch (NoSuchSslBundleException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "there is no SSL bundle \"" + name + "\"; spring.ssl.bundle.* declares them");
  }

  /** Returns this place with what details say instead. */
  StorePlace with(ZarrConnectionDetails details) {
    Map<String, String> all = new LinkedHashMap<>(texts);
    CredentialSource given = details.credentials();
    if (given != null) {
      all.keySet().removeIf(StorePlace::isOfCredentials);
    }
    all.putAll(details.options());
    SslBundle certificates = details.sslBundle();
    return new StorePlace(
        details.location(),
        all,
        given == null ? credentials : given,
        certificates == null ? bundle : certificates);
  }

  /** Returns this place with the credentials of a bean, where it has none. */
  StorePlace orCredentials(@Nullable CredentialSource bean) {
    return credentials == null ? new StorePlace(location, texts, bean, bundle) : this;
  }

  private static boolean isOfCredentials(String option) {
    return option.equals(CREDENTIALS) || option.startsWith(CREDENTIALS + ".");
  }

  /**
   * Returns the options of the store.
   *
   * @throws IllegalArgumentException for a bundle that the store cannot use
   */
  StoreOptions options() {
    StoreOptions options = StoreOptions.none();
    for (Map.Entry<String, String> option : texts.entrySet()) {
      options = options.with(option.getKey(), option.getValue());
    }
    options = credentials == null ? options : options.with(credentials);
    return bundle == null ? options : options.with(material(bundle));
  }

  private static TlsMaterial material(SslBundle bundle) {
    SslOptions choices = bundle.getOptions();
    if (choices.getCiphers() != null || choices.getEnabledProtocols() != null) {
      throw new IllegalArgumentException(
          "the SSL bundle names ciphers or protocols, which a store does not choose; leave its"
              + " options out");
    }
    SslManagerBundle managers = bundle.getManagers();
    return new TlsMaterial(managers.getKeyManagerFactory(), managers.getTrustManagerFactory());
  }

  /** The location and the names of the options. */
  @Override
  public String toString() {
    return "StorePlace[" + location + ", " + texts.keySet() + "]";
  }
}
