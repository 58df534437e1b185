package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The providers of the SDK, named by an option. */
class S3CredentialSourcesTest {
  private final AnsweringS3 s3 = new AnsweringS3(asked -> AnsweringS3.VALUE);

  @AfterEach
  void close() {
    s3.close();
    System.clearProperty("aws.sharedCredentialsFile");
  }

  private Store open(String name, String... settings) {
    StoreOptions options =
        StoreOptions.none()
            .with("endpoint", s3.server.uri().toString())
            .with("retry", "false")
            .with("credentials", name);
    for (int i = 0; i < settings.length; i += 2) {
      options = options.with("credentials." + settings[i], settings[i + 1]);
    }
    return await(Stores.open("s3://bucket", options));
  }

  @Test
  void a_profile_is_a_source_with_a_setting(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("credentials"),
            "[lab]\naws_access_key_id = KEY\naws_secret_access_key = s3cret\n");
    System.setProperty("aws.sharedCredentialsFile", file.toString());
    Store store = open("aws-profile", "profile", "lab");
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(s3.server.requests().get(0).header("authorization")).contains("Credential=KEY/");
    await(store.close());
    Store missing = open("aws-profile", "profile", "nobody");
    assertThat(errorOf(missing.get(KEY)))
        .hasMessageContaining("no credential from the source aws-profile")
        .hasMessageContaining("nobody");
    await(missing.close());
  }

  @Test
  void a_web_identity_without_its_module_says_what_to_add(@TempDir Path directory)
      throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "s3cret");
    Store store =
        open("aws-web-identity", "role-arn", "arn:aws:iam::1:role/r", "token-file", token + "");
    assertThat(errorOf(store.get(KEY)))
        .hasMessageContaining("the source aws-web-identity")
        .hasMessageContaining("sts")
        .hasMessageNotContaining("s3cret");
    await(store.close());
  }

  @Test
  void a_setting_that_a_source_does_not_have_is_refused_with_those_it_has() {
    assertThat(errorOf(Stores.open("s3://bucket", options("aws-profile", "role-arn"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[profile]")
        .hasMessageContaining("[role-arn]");
    assertThat(
            errorOf(Stores.open("s3://bucket", StoreOptions.none().with("credentials", "vault"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"vault\"")
        .hasMessageContaining("aws-web-identity");
  }

  private static StoreOptions options(String name, String setting) {
    return StoreOptions.none().with("credentials", name).with("credentials." + setting, "x");
  }
}
