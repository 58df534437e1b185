package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Colours;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of the demonstration.
 *
 * @param png the file of the picture
 * @param delay the time that the consumer takes for a chunk
 * @param latency the mean time that the store takes for a request
 * @param colours of standard output
 */
public record DemoSettings(Path png, Duration delay, Duration latency, Colours colours) {}
