/** Standard output and error, the terminal that may be behind them, and failures for the user. */
@NullMarked
package dev.zarrreactive.cli.console;

import org.jspecify.annotations.NullMarked;
