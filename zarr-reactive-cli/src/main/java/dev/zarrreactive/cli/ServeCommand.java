package dev.zarrreactive.cli;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.demo.DemoHierarchy;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;

/** {@code zarr serve}. */
@Command(
    name = "serve",
    headerHeading = "Example: zarr serve earth.zarr --port 8080%n",
    description = {
      "Serves a hierarchy over HTTP, for reading alone, until Ctrl-C.",
      "Without PATH it serves the hierarchy of the demonstration."
    })
public final class ServeCommand extends Subcommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      description = "The directory, zip archive or URL to serve, or a path into one.")
  private @Nullable String path;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "The port; ${DEFAULT-VALUE} by default, 0 for one that is free.")
  private int port;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen at; ${DEFAULT-VALUE} by default, which other machines cannot"
              + " reach. 0.0.0.0 is every address.")
  private String host;

  @Option(
      names = "--origin",
      paramLabel = "ORIGIN",
      description =
          "An origin whose pages may read, such as https://viewer.example; may be given several"
              + " times. All by default.")
  private String @Nullable [] origins;

  @Option(
      names = "--no-consolidate",
      description =
          "Serve metadata as they are stored. By default the root group has consolidated metadata,"
              + " made while serving if there are none.")
  private boolean asStored;

  @Override
  protected String subject() {
    return path == null ? "" : LocationText.shown(path);
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (port < 0 || port > 0xffff) {
      throw new ParameterException(spec().commandLine(), "--port is a number from 0 to 65535");
    }
    String served = path;
    if (served == null) {
      command().storeSettings(spec()).checkedFor();
      return DemoHierarchy.inMemory()
          .subscribeOn(console.thread())
          .flatMap(store -> serve(store, console));
    }
    return location(served, command().storeSettings(spec()).checkedFor(served).of(served))
        .in(options(), place -> serve(store(place), console));
  }

  private static Store store(NodePlace place) {
    Store store = place.hierarchy().store();
    NodePath node = NodePath.of(place.node());
    return node.isRoot() ? store : Stores.prefixed(store, node.prefix());
  }

  private Mono<Void> serve(Store store, CommandConsole console) {
    ZarrServer server =
        ZarrServer.of(store)
            .host(host)
            .port(port)
            .consolidated(!asStored)
            .onFailure((failed, error) -> warn("/" + failed + ": " + error.getMessage()));
    if (origins != null) {
      server.origins(origins);
    }
    return Mono.usingWhen(
            server.start(),
            running -> announced(running, console).then(running.onClose()),
            RunningServer::close)
        .onErrorMap(ChannelBindException.class, ServeCommand::refused);
  }

  private Mono<Void> announced(RunningServer running, CommandConsole console) {
    return Mono.<Void>fromRunnable(
            () -> {
              String what = path == null ? "the demonstration's hierarchy" : subject();
              console.out().println("Serving " + what + " at " + running.uri() + " until Ctrl-C");
              console.out().println("In a browser: " + running.uri() + "/api/");
              console.out().flush();
            })
        .subscribeOn(console.thread());
  }

  private static Throwable refused(ChannelBindException error) {
    return new CommandFailure(
        "cannot listen at "
            + error.localHost()
            + ":"
            + error.localPort()
            + ", which another program may use; --port 0 takes a port that is free",
        error);
  }
}
