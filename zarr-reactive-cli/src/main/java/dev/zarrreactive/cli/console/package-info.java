/** Standard output and error, and the terminal that may be behind them. */
@NullMarked
package dev.zarrreactive.cli.console;

import org.jspecify.annotations.NullMarked;
