package dev.zarrreactive.s3;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;

/** What the errors of the providers of the SDK mean, and what helps. */
final class ProviderErrors {
  private static final String ANONYMOUS =
      "; for a public bucket set anonymous (the command: --anonymous)";

  private static final Pattern MODULE =
      Pattern.compile(
          "(To use [^:]*?, the '(\\w+)' service module must be on the class path)", Pattern.DOTALL);

  /** The reasons of two providers in the message of the chain, which has those of all. */
  private static final Pattern IDENTITY =
      Pattern.compile(
          "(WebIdentityTokenFile|Container)CredentialsProvider\\(\\): "
              + "(.*?)(?=, \\w+CredentialsProvider\\(|\\]$)",
          Pattern.DOTALL);

  /** How they begin where the variables name no identity. */
  private static final Pattern NONE =
      Pattern.compile("Either the environment variable.*|Cannot fetch .* - neither.*");

  /**
   * How they say that the login of a profile by single sign-on does not hold: the SDK, which finds
   * no token that has not expired, or a service that refuses the one it was given.
   */
  private static final Pattern LOGIN =
      Pattern.compile("The SSO session associated|\\(Service: S[Ss][Oo]\\w*, Status Code: 4");

  /** The name of the profile in the message of the chain. */
  private static final Pattern PROFILE = Pattern.compile("profileName=([^,)]+)");

  private static final Pattern PASSES =
      Pattern.compile("Status Code: (?:429|5\\d\\d)|Unable to execute HTTP request");

  /** What the SDK writes behind the sentence of a service. */
  private static final Pattern DETAILS = Pattern.compile("\\s*\\((?:Service: |SDK Attempt).*");

  private ProviderErrors() {}

  /**
   * Returns the error of a source of credentials.
   *
   * @param profile that it looks into; null for that of the environment
   */
  static Throwable of(Throwable error, @Nullable String profile) {
    String message = String.valueOf(error.getMessage());
    Matcher module = MODULE.matcher(message);
    if (module.find()) {
      return new StoreException(
          module.group(1) + "; add " + artifact(module.group(2)), Location.UNKNOWN, error);
    }
    if (LOGIN.matcher(message).find()
        && (error instanceof SdkClientException || isRefused(error))) {
      return notLoggedIn(error, message, profile);
    }
    if (error instanceof AwsServiceException answer) {
      return answered(answer);
    }
    if (error instanceof UncheckedIOException
        && error.getCause() instanceof FileSystemException file) {
      return new StoreException(
          "the file " + file.getFile() + " cannot be read", Location.UNKNOWN, error);
    }
    return error instanceof SdkClientException client ? ofClient(client, message) : error;
  }

  private static boolean isRefused(Throwable error) {
    return error instanceof AwsServiceException answer && answer.statusCode() < 429;
  }

  private static AccessDeniedException notLoggedIn(
      Throwable error, String message, @Nullable String given) {
    Matcher told = PROFILE.matcher(message);
    String profile =
        told.find()
            ? told.group(1)
            : given == null
                ? ProfileFileSystemSetting.AWS_PROFILE.getStringValue().orElse("default")
                : given;
    return new AccessDeniedException(
        "nobody has logged in to the profile "
            + profile
            + " by single sign-on, or the login has expired; log in by: aws sso login --profile "
            + profile
            + (hasSessions()
                ? ""
                : " (a profile with sso_session needs software.amazon.awssdk:ssooidc on the class"
                    + " path, too)"),
        Location.UNKNOWN,
        error);
  }

  private static String artifact(String module) {
    String artifact = "software.amazon.awssdk:" + module;
    return module.equals("sso") ? artifact + " and " + artifact + "oidc" : artifact;
  }

  /** A service that gives out keys has refused, or fails. */
  private static StoreException answered(AwsServiceException error) {
    int status = error.statusCode();
    String reason = shortened(String.valueOf(error.getMessage()));
    String statement =
        "its service answered " + status + (reason.isBlank() ? "" : ": " + reason.strip());
    return status == 429 || status >= 500 || error.isThrottlingException()
        ? new TransientStoreException(statement, Location.UNKNOWN, error)
        : new AccessDeniedException(statement, Location.UNKNOWN, error);
  }

  /** Returns a short error: the SDK lists all of its providers, or all profiles of the file. */
  private static Throwable ofClient(SdkClientException error, String message) {
    if (message.startsWith("Profile file contained no credentials")) {
      int detail = message.indexOf(": ");
      String known = detail < 0 ? message : message.substring(0, detail);
      return new StoreException(known + ANONYMOUS, Location.UNKNOWN, error);
    }
    if (message.startsWith("Unable to load credentials from any of the providers")) {
      return ofChain(error, message);
    }
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof UnknownHostException) {
        return new StoreException(
            "a host of the service is not known: " + each.getMessage(), Location.UNKNOWN, error);
      }
    }
    return S3Errors.mayPass(error)
        ? new TransientStoreException(shortened(message), Location.UNKNOWN, error)
        : error;
  }

  /** The variables of a pod or a container name an identity, or there is nothing. */
  private static StoreException ofChain(SdkClientException error, String message) {
    Matcher reason = IDENTITY.matcher(message);
    while (reason.find()) {
      String told = reason.group(2);
      if (!NONE.matcher(told).matches()) {
        String statement =
            (reason.group(1).equals("Container")
                    ? "AWS_CONTAINER_CREDENTIALS_FULL_URI (or _RELATIVE_URI)"
                    : "AWS_WEB_IDENTITY_TOKEN_FILE")
                + " names an identity, which gave no keys: "
                + shortened(told);
        return PASSES.matcher(told).find()
            ? new TransientStoreException(statement, Location.UNKNOWN, error)
            : new StoreException(statement, Location.UNKNOWN, error);
      }
    }
    return new StoreException(
        "the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) and the profile have none"
            + ANONYMOUS,
        Location.UNKNOWN,
        error);
  }

  private static String shortened(String message) {
    return DETAILS.matcher(message).replaceAll("");
  }

  private static boolean hasSessions() {
    try {
      Class.forName(
          "software.amazon.awssdk.services.ssooidc.SsoOidcClient",
          false,
          ProviderErrors.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
