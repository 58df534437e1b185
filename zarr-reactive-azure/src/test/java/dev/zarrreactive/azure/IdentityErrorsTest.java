package dev.zarrreactive.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.identity.CredentialUnavailableException;
import com.microsoft.aad.msal4j.MsalServiceException;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ZarrException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of the errors of the library, which are as it threw them. */
class IdentityErrorsTest {
  private static ZarrException told(IdentitySource.Kind kind, RuntimeException error) {
    return IdentityErrors.of(new IdentitySource(kind, null), error);
  }

  private static RuntimeException wrapped(Throwable reason) {
    return new RuntimeException("see inner exception", new ExecutionException(reason));
  }

  @ParameterizedTest
  @CsvSource({
    "[Managed Identity] MSI returned 503,TransientStoreException,the service answered 503 without",
    "[Managed Identity] MSI returned 429,TransientStoreException,the service answered 429 without",
    "[Managed Identity] MSI returned 404,AccessDeniedException,the service answered 404 without",
    "Could not parse JSON from HttpResponse body: x,TransientStoreException,the service answered"
  })
  void an_answer_that_is_none_shows_its_status_and_no_more(
      String said, String type, String expected) {
    ZarrException told =
        told(
            IdentitySource.Kind.MANAGED,
            wrapped(
                new IllegalStateException(
                    said
                        + ", but the response could not be parsed: Unrecognized token 's3cret'\n"
                        + " at [Source: (String)\"{\"access_token\":\"s3cret\"\"]")));
    assertThat(told.getClass().getSimpleName()).isEqualTo(type);
    assertThat(told).hasMessageContaining(expected);
    StringWriter trace = new StringWriter();
    told.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain("s3cret");
  }

  @Test
  void a_refusal_of_entra_is_told_by_its_first_line() {
    assertThat(
            told(
                IdentitySource.Kind.WORKLOAD,
                wrapped(
                    new MsalServiceException(
                        "AADSTS700016: Application was not found.\nTrace ID: x", "code"))))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage("AADSTS700016: Application was not found.");
  }

  @Test
  void a_service_that_cannot_be_reached_may_be_reached_later() {
    assertThat(
            told(
                IdentitySource.Kind.WORKLOAD,
                wrapped(
                    new UncheckedIOException(
                        new UnknownHostException("login.microsoftonline.com")))))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("login.microsoftonline.com");
    assertThat(
            told(
                IdentitySource.Kind.WORKLOAD,
                wrapped(new IOException("Unexpected 's3cret' at [Source: (String)\"s3cret\"]"))))
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_file_that_is_missing_is_named() {
    assertThat(
            told(IdentitySource.Kind.WORKLOAD, wrapped(new NoSuchFileException("/var/run/token"))))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("/var/run/token")
        .hasMessageContaining("AZURE_FEDERATED_TOKEN_FILE");
  }

  @Test
  void where_nothing_was_found_the_error_says_what_to_set() {
    assertThat(
            told(
                IdentitySource.Kind.DEFAULT,
                new CredentialUnavailableException("EnvironmentCredential is unavailable\nMore")))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET")
        .hasMessageContaining("az login");
  }

  @Test
  void a_library_without_a_client_of_http_says_what_to_add() {
    assertThat(
            told(
                IdentitySource.Kind.MANAGED,
                wrapped(new IllegalStateException("the default HttpClient provider is missing"))))
        .hasMessageContaining("com.azure:azure-core-http-netty");
  }
}
