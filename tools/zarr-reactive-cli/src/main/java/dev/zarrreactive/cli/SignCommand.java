package dev.zarrreactive.cli;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.options.LinkKeyOption;
import dev.zarrreactive.cli.options.TimeConverter;
import dev.zarrreactive.credentials.LinkKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr sign}. */
@Command(
    name = "sign",
    headerHeading =
        "Example: zarr sign http://127.0.0.1:8080/earth --expires 1h --key-file links.key%n",
    description = {
      "Prints a link that opens a URL of zarr serve --sign, and all below it.",
      "Whoever has the link can open it until it expires; no request is made."
    })
public final class SignCommand extends Subcommand {
  @Parameters(paramLabel = "URL", description = "The URL of a node, a group or a directory.")
  private String url;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = TimeConverter.class,
      description = "The time until the link expires, such as 30d; ${DEFAULT-VALUE} by default.")
  private Duration expires;

  @Mixin private final LinkKeyOption keyFile = new LinkKeyOption();

  @Option(
      names = "--write",
      description = "Permit writes, too, where the server takes them; zarr serve only reads.")
  private boolean writes;

  @Option(
      names = "--root",
      paramLabel = "PATH",
      defaultValue = "",
      description = "The path at which the server serves, such as /data; by default the root.")
  private String root;

  @Override
  protected String subject() {
    return "";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    URI place = place();
    String above = root.replaceAll("/+$", "");
    String path = place.getPath();
    boolean isBelow = above.isEmpty() || path.equals(above) || path.startsWith(above + "/");
    if (!isBelow || !(above.isEmpty() || above.startsWith("/"))) {
      throw new ParameterException(
          spec().commandLine(), "--root is the beginning of the path of the URL, such as /data");
    }
    return keyFile
        .keys(command(), spec())
        .doOnNext(
            keys -> {
              console.out().println(link(keys, place, above, path.substring(above.length())));
              console.out().flush();
            })
        .then();
  }

  private URI place() {
    URI place;
    try {
      place = new URI(url);
    } catch (URISyntaxException e) {
      throw new ParameterException(spec().commandLine(), "not a URL: " + e.getReason(), e);
    }
    String scheme = String.valueOf(place.getScheme()).toLowerCase(Locale.ROOT);
    boolean isPlain =
        (scheme.equals("http") || scheme.equals("https"))
            && place.getHost() != null
            && place.getRawUserInfo() == null
            && place.getRawQuery() == null
            && place.getRawFragment() == null;
    if (!isPlain || place.getRawPath().toLowerCase(Locale.ROOT).contains("%2f")) {
      throw new ParameterException(
          spec().commandLine(),
          "a link is signed for a URL of http or https without a user, a query and a fragment");
    }
    return place;
  }

  private String link(LinkKeys keys, URI place, String above, String path) {
    LinkKeys.Access access = writes ? LinkKeys.Access.READ_WRITE : LinkKeys.Access.READ;
    try {
      return place.getScheme()
          + "://"
          + place.getRawAuthority()
          + above
          + keys.sign(path, access, Instant.now().plus(expires));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
