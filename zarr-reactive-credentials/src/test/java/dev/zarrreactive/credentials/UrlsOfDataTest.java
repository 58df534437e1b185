package dev.zarrreactive.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the URLs of Hugging Face and of Azure lead to. */
class UrlsOfDataTest {
  private static final URI HUB = URI.create("https://huggingface.co");

  @ParameterizedTest
  @CsvSource({
    "hf://datasets/me/earth/a.zarr, /datasets/me/earth/resolve/main/a.zarr",
    "hf://datasets/me/earth, /datasets/me/earth/resolve/main",
    "hf://datasets/me/earth@v1/a.zarr/b, /datasets/me/earth/resolve/v1/a.zarr/b",
    "hf://datasets/me/earth@a%2Fb/c, /datasets/me/earth/resolve/a%2Fb/c",
    "hf://datasets/me/earth@refs/pr/7/c, /datasets/me/earth/resolve/refs%2Fpr%2F7/c",
    "hf://datasets/me/earth@refs/convert/zarr/c, /datasets/me/earth/resolve/refs%2Fconvert%2Fzarr/c",
    "hf://me/model/c, /me/model/resolve/main/c",
    "hf://models/me/model/c, /me/model/resolve/main/c",
    "hf://spaces/me/page/c, /spaces/me/page/resolve/main/c",
    "hf://buckets/me/heap/c/d, /buckets/me/heap/resolve/c/d",
  })
  void a_url_of_hugging_face_leads_to_the_files_of_a_revision(String url, String path) {
    assertThat(HuggingFaceUrl.resolved(URI.create(url), HUB)).isEqualTo(HUB + path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hf://datasets/me",
        "hf://datasets//earth",
        "hf://datasets/me/earth?x=1",
        "hf://datasets/me/earth#x",
        "hf://buckets/me/heap@v1/c",
        "hf:x"
      })
  void another_form_is_refused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HuggingFaceUrl.resolved(URI.create(url), HUB))
        .withMessageContaining("Hugging Face");
  }

  @ParameterizedTest
  @CsvSource({
    "https://daymeteuwest.blob.core.windows.net/daymet-zarr/daily/hi.zarr, daymeteuwest, daymet-zarr",
    "abfs://daymet-zarr@daymeteuwest.dfs.core.windows.net/daily, daymeteuwest, daymet-zarr",
    "az://daymet-zarr/daily, , daymet-zarr",
    "https://data.example/daymet-zarr, , ",
    "https://daymeteuwest.blob.core.windows.net/, daymeteuwest, ",
  })
  void a_url_of_azure_names_an_account_and_a_container(
      String url, String account, String container) {
    assertThat(AzureContainer.of(URI.create(url)))
        .isEqualTo(new AzureContainer(account, container));
  }

  @Test
  void a_name_of_azure_is_one_segment() {
    assertThat(AzureContainer.isName("daymet-zarr")).isTrue();
    assertThat(AzureContainer.isName("$web")).isTrue();
    assertThat(AzureContainer.isName("../x")).isFalse();
    assertThat(AzureContainer.isName("")).isFalse();
  }
}
