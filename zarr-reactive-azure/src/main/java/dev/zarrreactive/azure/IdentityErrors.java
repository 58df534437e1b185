package dev.zarrreactive.azure;

import com.azure.identity.CredentialUnavailableException;
import com.microsoft.aad.msal4j.MsalJsonParsingException;
import com.microsoft.aad.msal4j.MsalServiceException;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the errors of the library of Azure mean, which wraps a reason in up to four others. An error
 * on an answer that it cannot parse shows that answer, which may hold a token: so nothing is told
 * of it but its status.
 */
final class IdentityErrors {
  private static final Pattern STATUS = Pattern.compile("MSI returned (\\d{3}),");

  /** How the library says that variables are missing. */
  private static final String NEEDS = "Must provide";

  private IdentityErrors() {}

  /** Returns the error of a store. */
  static ZarrException of(IdentitySource source, RuntimeException error) {
    Throwable reason = error;
    while (!(reason instanceof IOException) && reason.getCause() != null) {
      reason = reason.getCause();
    }
    String message = String.valueOf(reason.getMessage());
    if (reason instanceof FileSystemException file) {
      return new StoreException(
          "the file " + file.getFile() + " cannot be read; " + needs(source),
          Location.UNKNOWN,
          error);
    }
    if (error instanceof CredentialUnavailableException) {
      return new StoreException(needs(source), Location.UNKNOWN, error);
    }
    if (reason instanceof MsalServiceException answer
        && !(reason instanceof MsalJsonParsingException)) {
      Integer status = answer.statusCode();
      return refused(status != null && mayPass(status), firstLine(message), source, error);
    }
    if (reason instanceof IOException && !message.contains("[Source")) {
      return new TransientStoreException(
          firstLine(message) + asks(source), Location.UNKNOWN, error);
    }
    if (message.contains("HttpClient")) {
      return new UnsupportedFeatureException(
          "com.azure:azure-identity has no client of HTTP; add com.azure:azure-core-http-netty",
          Location.UNKNOWN,
          error);
    }
    if (reason == error) { // it asked nobody
      return new StoreException(
          message.startsWith(NEEDS) ? needs(source) : firstLine(message), Location.UNKNOWN, error);
    }
    Matcher told = STATUS.matcher(message);
    String status = told.find() ? told.group(1) : "";
    return refused( // a proxy before the service sends pages
        status.isEmpty() || mayPass(Integer.parseInt(status)),
        "the service answered " + (status.isEmpty() ? "" : status + " ") + "without a token",
        source,
        null);
  }

  private static boolean mayPass(int status) {
    return status == 429 || status >= 500;
  }

  private static StoreException refused(
      boolean mayPass, String statement, IdentitySource source, @Nullable Throwable cause) {
    String told = statement + asks(source);
    return mayPass
        ? new TransientStoreException(told, Location.UNKNOWN, cause)
        : new AccessDeniedException(told, Location.UNKNOWN, cause);
  }

  /** The others say where to read more. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private static String asks(IdentitySource source) {
    return source.kind() == IdentitySource.Kind.WORKLOAD ? "" : "; " + needs(source);
  }

  /** Says what the library looks for. */
  private static String needs(IdentitySource source) {
    return switch (source.kind()) {
      case WORKLOAD ->
          "set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE, as Kubernetes does"
              + " in pods with the label azure.workload.identity/use";
      case MANAGED ->
          "is this a machine of Azure with an identity? credentials.client-id chooses one of"
              + " several";
      case DEFAULT ->
          "set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET, or log in by \"az login\";"
              + " the identities of workloads and machines were looked for, too";
    };
  }
}
