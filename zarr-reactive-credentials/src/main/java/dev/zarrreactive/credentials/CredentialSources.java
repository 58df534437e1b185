package dev.zarrreactive.credentials;

import dev.zarrreactive.store.credential.CredentialSource;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sources of credentials for the builders of stores. {@link CredentialsByName} has their names for
 * the option {@code credentials}. They read files on threads that may block, when a store looks up
 * its credential.
 */
public final class CredentialSources {
  private CredentialSources() {}

  /**
   * Returns a bearer token in a file that another program replaces, as Kubernetes does. It is read
   * again after a minute, near the expiry of a JSON Web Token, and after a refusal.
   */
  public static CredentialSource tokenFile(Path file) {
    return new FileSource(
        file.toString(), SecretText.BEARER, FileSource.REFRESH, Surroundings.ofProcess());
  }

  /** Returns the bearer token in a variable of the environment. */
  public static CredentialSource tokenVariable(String variable) {
    return new TokenInVariable(variable, SecretText.BEARER, Surroundings.ofProcess());
  }

  /** Returns the user and the password of a machine in {@code .netrc}, for basic authentication. */
  public static CredentialSource netrc(String machine) {
    return new NetrcSource(null, machine, Surroundings.ofProcess());
  }

  /**
   * Returns the token of Earthdata for NASA's servers over HTTPS: that of {@code EARTHDATA_TOKEN},
   * or one for the user of {@code .netrc}.
   */
  public static CredentialSource earthdata() {
    return earthdataSource(null);
  }

  /**
   * Returns the keys of AWS for NASA's buckets, which expire after an hour.
   *
   * @param service the URL that gives them out, such as {@code
   *     https://archive.podaac.earthdata.nasa.gov/s3credentials}
   */
  public static CredentialSource earthdataKeys(URI service) {
    return earthdataSource(service);
  }

  private static CredentialSource earthdataSource(@Nullable URI service) {
    return new EarthdataSource(
        service, EarthdataSource.LOGIN, EarthdataSource.REGION, Surroundings.ofProcess());
  }

  /**
   * Returns the signatures of Planetary Computer for a container of Azure, which expire after less
   * than an hour. A key in the variable {@code PC_SDK_SUBSCRIPTION_KEY} allows more requests.
   */
  public static CredentialSource planetaryComputer(String account, String container) {
    return new PlanetaryComputerSource(
        PlanetaryComputerSource.SERVICE, account, container, Surroundings.ofProcess());
  }

  /** Returns the token of Hugging Face, for URLs of its hub; nothing where there is none. */
  public static CredentialSource huggingFace() {
    return new HuggingFaceSource(Surroundings.ofProcess());
  }
}
