package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.Colours;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What the demonstration is told.
 *
 * @param png where to write the picture
 * @param delay how long the consumer takes for a chunk
 * @param latency how long the store takes for a request, on average
 * @param colours of standard output
 */
public record DemoSettings(Path png, Duration delay, Duration latency, Colours colours) {}
