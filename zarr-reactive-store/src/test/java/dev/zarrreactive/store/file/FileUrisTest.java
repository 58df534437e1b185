package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
class FileUrisTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "/data/a.zarr -> file:///data/a.zarr",
        "/my data/100%/#1?.zarr -> file:///my%20data/100%25/%231%3F.zarr",
        "/a+b;c=d&e@f:g,h!$'()*~ -> file:///a+b;c=d&e@f:g,h!$'()*~",
        "/ -> file:///",
      })
  void a_path_has_one_canonical_uri_which_leads_back_to_it(String path, String uri) {
    FileSystemStore store = FileSystemStore.open(Path.of(path));
    assertThat(store.uri()).hasToString(uri);
    assertThat(FileSystemStore.open(store.uri()).directory()).isEqualTo(Path.of(path));
    assertThat(store).hasToString("FileSystemStore[" + uri + "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "C:\\data\\a b.zarr -> file:///C:/data/a%20b.zarr",
        "\\\\server\\share\\a.zarr -> file://server/share/a.zarr",
      })
  void paths_of_windows_have_the_uris_of_windows(String path, String uri) {
    assertThat(FileUris.of(path, "\\")).hasToString(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/my%20data",
        "file:///my%20data",
        "file:///my%20data/",
        "FILE://localhost/my%20data",
        "file:///%6Dy%20data",
        "file:///x/../my%20data/.",
      })
  void other_spellings_of_a_uri_become_the_canonical_one(String uri) {
    assertThat(FileSystemStore.open(URI.create(uri)).uri()).hasToString("file:///my%20data");
  }

  @Test
  void letters_beyond_ascii_are_encoded_as_utf8_and_understood_where_they_were_not() {
    assumeTrue(canNameFiles("gr\u00fcn"), "this JVM's locale has no such letters");
    FileSystemStore store = FileSystemStore.open(Path.of("/gr\u00fcn/\u65e5"));
    assertThat(store.uri()).hasToString("file:///gr%C3%BCn/%E6%97%A5");
    assertThat(FileSystemStore.open(store.uri()).directory()).isEqualTo(store.directory());
    assertThat(FileSystemStore.open(URI.create("file:///gr\u00fcn")).uri())
        .hasToString("file:///gr%C3%BCn");
  }

  private static boolean canNameFiles(String name) {
    try {
      return Path.of(name).toString().equals(name);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://host/data",
        "data",
        "file:data",
        "file://host/data",
        "file:///data?version=1",
        "file:///data#array",
        "file:///data%00",
        "memory:data",
      })
  void what_is_no_file_uri_here_is_refused_with_its_reason(String uri) {
    assertThatThrownBy(() -> FileSystemStore.open(URI.create(uri)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(uri)
        .hasMessageContaining("no file URI of this system");
  }

  @Test
  void a_relative_path_is_made_absolute() {
    assertThat(FileSystemStore.open(Path.of("x/../a b.zarr")).uri().toString())
        .startsWith("file:///")
        .endsWith("/a%20b.zarr")
        .doesNotContain("..");
  }
}
