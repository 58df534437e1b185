package dev.zarrreactive.cli.help;

import picocli.CommandLine.IVersionProvider;

/** The text of {@code --version}. */
public final class VersionText implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = VersionText.class.getPackage().getImplementationVersion();
    return new String[] {
      "zarr (zarr-reactive) " + (version == null ? "of the development tree" : version),
      "Java "
          + System.getProperty("java.version")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }
}
