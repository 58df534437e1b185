package dev.zarrreactive.s3;

import dev.zarrreactive.internal.s3.http.S3Threads;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;

/**
 * A provider of the SDK by its name. Each look-up makes it and closes it: the store keeps what it
 * has looked up.
 */
record NamedProvider(String named, StoreOptions settings) implements CredentialSource {
  private static final String PROFILE = "profile";
  private static final String ROLE = "role-arn";
  private static final String TOKEN_FILE = "token-file";
  private static final String SESSION = "session-name";

  /** The settings of each source, by its name. */
  static final Map<String, List<String>> NAMES =
      Map.of(
          "aws", List.of(),
          "aws-environment", List.of(),
          "aws-profile", List.of(PROFILE),
          "aws-web-identity", List.of(ROLE, TOKEN_FILE, SESSION),
          "aws-container", List.of(),
          "aws-instance", List.of());

  @Override
  public Mono<ExpiringCredential> credential() {
    return Mono.using(
            () -> new ProviderSource(name(), this::made, true, settings.get(PROFILE)),
            ProviderSource::credential,
            ProviderSource::close,
            true)
        .subscribeOn(S3Threads.mayBlock());
  }

  @Override
  public String name() {
    return "the source " + named;
  }

  @Override
  public String advice() {
    return switch (named) {
      case "aws-environment" -> "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN";
      case "aws-profile" ->
          "set the profile by credentials." + PROFILE + ", or log in: aws sso login";
      case "aws-web-identity" -> "set AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE";
      case "aws-container", "aws-instance" -> "give the container or the instance another role";
      default -> "set AWS_PROFILE, or keys in the environment";
    };
  }

  private AwsCredentialsProvider made() {
    @Nullable String profile = settings.get(PROFILE);
    return switch (named) {
      case "aws-environment" -> EnvironmentVariableCredentialsProvider.create();
      case "aws-profile" ->
          profile == null
              ? ProfileCredentialsProvider.create()
              : ProfileCredentialsProvider.create(profile);
      case "aws-web-identity" -> webIdentity();
      case "aws-container" -> ContainerCredentialsProvider.create();
      case "aws-instance" -> InstanceProfileCredentialsProvider.create();
      default -> DefaultCredentialsProvider.builder().build();
    };
  }

  private AwsCredentialsProvider webIdentity() {
    WebIdentityTokenFileCredentialsProvider.Builder builder =
        WebIdentityTokenFileCredentialsProvider.builder();
    if (settings.get(ROLE) != null) {
      builder.roleArn(settings.text(ROLE));
    }
    if (settings.get(TOKEN_FILE) != null) {
      builder.webIdentityTokenFile(Path.of(settings.text(TOKEN_FILE)));
    }
    if (settings.get(SESSION) != null) {
      builder.roleSessionName(settings.text(SESSION));
    }
    return builder.build();
  }

  /** The name, without secrets. */
  @Override
  public String toString() {
    return name();
  }
}
