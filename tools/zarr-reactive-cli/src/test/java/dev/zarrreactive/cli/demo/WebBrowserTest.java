package dev.zarrreactive.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebBrowserTest {
  @ParameterizedTest
  @CsvSource({
    "Mac OS X, '', open",
    "Windows 11, '', rundll32",
    "Linux, DISPLAY, xdg-open",
    "Linux, WAYLAND_DISPLAY, xdg-open",
    "FreeBSD, DISPLAY, xdg-open"
  })
  void a_desktop_has_a_program_that_opens_pages(String system, String variable, String program) {
    Map<String, String> environment = variable.isEmpty() ? Map.of() : Map.of(variable, ":0");
    assertThat(WebBrowser.of(system, environment).map(browser -> browser.command().get(0)))
        .isEqualTo(Optional.of(program));
  }

  @Test
  void a_machine_without_a_screen_opens_none() {
    assertThat(WebBrowser.of("Linux", Map.of())).isEmpty();
    assertThat(WebBrowser.of("Linux", Map.of("DISPLAY", ""))).isEmpty();
  }

  @Test
  void a_program_that_is_not_there_is_no_failure() {
    new WebBrowser(List.of("no-such-program-of-zarr")).open(URI.create("http://127.0.0.1:1/"));
  }
}
