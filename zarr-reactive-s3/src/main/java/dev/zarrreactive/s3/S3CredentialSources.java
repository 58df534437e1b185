package dev.zarrreactive.s3;

import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.CredentialSourceProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * The sources of the AWS SDK for the option {@code credentials}: {@code aws} (the default chain),
 * {@code aws-environment}, {@code aws-profile} (with the setting {@code profile}; also a profile of
 * single sign-on), {@code aws-web-identity} (with {@code role-arn}, {@code token-file} and {@code
 * session-name}, or the variables {@code AWS_ROLE_ARN} and {@code AWS_WEB_IDENTITY_TOKEN_FILE}),
 * {@code aws-container} and {@code aws-instance}. A web identity needs {@code
 * software.amazon.awssdk:sts} on the class path, single sign-on {@code sso} and {@code ssooidc}.
 * The class is public for {@link java.util.ServiceLoader} only.
 */
public final class S3CredentialSources implements CredentialSourceProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public S3CredentialSources() {}

  @Override
  public Set<String> names() {
    return NamedProvider.NAMES.keySet();
  }

  @Override
  public CredentialSource source(String name, URI store, StoreOptions settings) {
    List<String> known = NamedProvider.NAMES.get(name);
    if (known == null || !known.containsAll(settings.names())) {
      throw new IllegalArgumentException(
          "the settings of the credentials "
              + name
              + " are "
              + known
              + ", not "
              + settings.names());
    }
    return new NamedProvider(name, settings);
  }
}
