package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What is told of the errors of the SDK, whose messages are as it wrote them. */
class ProviderErrorsTest {
  private static final String WEB =
      "To use web identity tokens, the 'sts' service module must be on the class path.";

  private static SdkClientException chain(String webIdentity) {
    return SdkClientException.create(
        "Unable to load credentials from any of the providers in the chain"
            + " AwsCredentialsProviderChain(credentialsProviders=[SystemPropertyCredentialsProvider(),"
            + " WebIdentityTokenFileCredentialsProvider(), ContainerCredentialsProvider()]) :"
            + " [SystemPropertyCredentialsProvider(): Unable to load credentials.,"
            + " WebIdentityTokenFileCredentialsProvider(): "
            + webIdentity
            + ", ProfileCredentialsProvider(profileName=default): Profile file contained none,"
            + " ContainerCredentialsProvider(): Cannot fetch credentials from container - neither"
            + " A or B are set.]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "To use web identity tokens, the 'sts' service module must be on the class path."
            + "|; add software.amazon.awssdk:sts",
        "To use assumed roles in the 'a' profile, the 'sts' service module must be on the class"
            + " path.|; add software.amazon.awssdk:sts",
        "To use Sso related properties in the 'a' profile, the 'sso' service module must be on the"
            + " class path.|; add software.amazon.awssdk:sso and software.amazon.awssdk:ssooidc"
      })
  void a_module_that_is_missing_is_told_with_its_artifact(String message, String added) {
    assertThat(ProviderErrors.of(new IllegalStateException(message), null))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("To use ")
        .hasMessageEndingWith(added);
  }

  @Test
  void the_chain_hides_no_missing_module_and_no_identity_that_failed() {
    assertThat(ProviderErrors.of(chain(WEB), null))
        .hasMessageEndingWith("must be on the class path; add software.amazon.awssdk:sts");
    assertThat(
            ProviderErrors.of(
                chain("Unable to execute HTTP request: refused (SDK Attempt Count: 4)"), null))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("AWS_WEB_IDENTITY_TOKEN_FILE names an identity")
        .hasMessageEndingWith("Unable to execute HTTP request: refused");
    assertThat(
            ProviderErrors.of(
                chain("Either the environment variable A or the javaproperty b must be set."),
                null))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("AWS_ACCESS_KEY_ID")
        .hasMessageContaining("set anonymous");
  }
}
