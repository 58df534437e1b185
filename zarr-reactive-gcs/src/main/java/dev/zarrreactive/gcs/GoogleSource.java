package dev.zarrreactive.gcs;

import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.auth.Retryable;
import com.google.auth.http.HttpTransportFactory;
import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.ComputeEngineCredentials;
import com.google.auth.oauth2.GoogleCredentials;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Tokens of Google, which its own library gets, on threads that may block.
 *
 * @param kind where they come from
 * @param file of a key, for {@link Kind#FILE}; null for the one that the environment names
 * @param environment of the process
 * @param http makes the client of the library
 */
record GoogleSource(
    Kind kind, @Nullable String file, Map<String, String> environment, HttpTransportFactory http)
    implements CredentialSource {
  /** Names a file of credentials: of a service account, a workload identity or a user. */
  static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";

  private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";

  /** Asks by the client of the JDK. */
  static final HttpTransportFactory HTTP = NetHttpTransport::new;

  /** Variables that processes on Google's machines have. */
  private static final List<String> OF_GOOGLE =
      List.of("GCE_METADATA_HOST", "K_SERVICE", "CLOUD_RUN_JOB", "FUNCTION_TARGET", "GAE_ENV");

  /** Where the tokens come from. */
  enum Kind {
    /** The application default credentials, and none where there are none. */
    DEFAULT_OR_NONE,
    /** The application default credentials. */
    DEFAULT,
    /** A file of credentials. */
    FILE,
    /** The metadata server of a machine of Google. */
    METADATA
  }

  /** Copies the environment. */
  GoogleSource {
    environment = Map.copyOf(environment);
  }

  /** The source of a store for which none was named. */
  static GoogleSource byDefault(Map<String, String> environment) {
    return new GoogleSource(Kind.DEFAULT_OR_NONE, null, environment, HTTP);
  }

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.fromCallable(this::lookUp)
        .onErrorMap(IOException.class, this::error)
        .subscribeOn(LookUpThreads.SCHEDULER);
  }

  private ExpiringCredential lookUp() throws IOException {
    GoogleCredentials found = find();
    if (found == null) {
      return ExpiringCredential.lasting(Credential.anonymous());
    }
    AccessToken token = found.createScoped(SCOPE).refreshAccessToken();
    Credential bearer = Credential.bearer(token.getTokenValue());
    Instant expiry = expiry(token);
    return expiry == null
        ? ExpiringCredential.lasting(bearer)
        : ExpiringCredential.until(expiry, bearer);
  }

  @SuppressWarnings("JavaUtilDate") // the library has no other
  private static @Nullable Instant expiry(AccessToken token) {
    Date expiry = token.getExpirationTime();
    return expiry == null ? null : expiry.toInstant();
  }

  /** Finds credentials as Google's tools do; null where there are none, and none are needed. */
  private @Nullable GoogleCredentials find() throws IOException {
    if (kind == Kind.METADATA) {
      return metadata();
    }
    String named = file == null ? environment.getOrDefault(FILE, "") : file;
    if (!named.isBlank()) {
      return read(Path.of(named));
    }
    if (kind == Kind.FILE) {
      throw new StoreException("no file of a key was named; " + advice(), Location.UNKNOWN);
    }
    Path wellKnown = wellKnown();
    if (Files.isRegularFile(wellKnown)) {
      return read(wellKnown);
    }
    if (isOnGoogle()) {
      return metadata();
    }
    if (kind == Kind.DEFAULT) {
      throw new StoreException("nothing was found: " + tried(), Location.UNKNOWN);
    }
    return null;
  }

  private GoogleCredentials metadata() {
    return ComputeEngineCredentials.newBuilder().setHttpTransportFactory(http).build();
  }

  private GoogleCredentials read(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return GoogleCredentials.fromStream(in, http);
    } catch (IOException | IllegalArgumentException e) {
      throw new StoreException(
          "the file " + path + " holds no credentials that can be read: " + e.getMessage(),
          Location.UNKNOWN,
          e);
    }
  }

  /** Returns the file that {@code gcloud auth application-default login} writes. */
  private Path wellKnown() {
    String configuration = environment.get("CLOUDSDK_CONFIG");
    String windows = environment.get("APPDATA");
    Path folder =
        configuration != null
            ? Path.of(configuration)
            : windows != null && File.separatorChar == '\\'
                ? Path.of(windows, "gcloud")
                : Path.of(System.getProperty("user.home", ""), ".config", "gcloud");
    return folder.resolve("application_default_credentials.json");
  }

  /** Asks no server: a machine elsewhere would wait for an answer that never comes. */
  private boolean isOnGoogle() {
    return OF_GOOGLE.stream().anyMatch(environment::containsKey) || product().startsWith("Google");
  }

  private static String product() {
    try {
      return Files.readString(Path.of("/sys/class/dmi/id/product_name"));
    } catch (IOException e) {
      return "";
    }
  }

  private StoreException error(IOException error) {
    String statement = String.valueOf(error.getMessage());
    if (!(error instanceof Retryable ours)) {
      return new TransientStoreException(statement, Location.UNKNOWN, error);
    }
    return ours.isRetryable()
        ? new TransientStoreException(statement, Location.UNKNOWN, error)
        : new AccessDeniedException(statement, Location.UNKNOWN, error);
  }

  @Override
  public String name() {
    return switch (kind) {
      case DEFAULT_OR_NONE, DEFAULT -> "Google's application default";
      case FILE -> "the file of a Google account";
      case METADATA -> "Google's metadata server";
    };
  }

  private String tried() {
    return "the variable "
        + FILE
        + " is not set, there is no file "
        + wellKnown()
        + ", and this machine is none of Google's";
  }

  @Override
  public String advice() {
    return switch (kind) {
      case DEFAULT_OR_NONE, DEFAULT ->
          "set " + FILE + " to the file of a key, or run \"gcloud auth application-default login\"";
      case FILE -> "name the file with the option credentials.file, or set " + FILE;
      case METADATA -> "give the service account of this machine the role Storage Object Viewer";
    };
  }

  /** The name alone. */
  @Override
  public String toString() {
    return name();
  }

  /** Two daemons, which end when they have been idle for ten seconds. */
  private static final class LookUpThreads {
    static final Scheduler SCHEDULER = Daemons.mayBlock(2, "zarr-google", 10);
  }
}
