"""`sheshbesh completion`: the lines by which a shell completes commands, games, options and levels."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what SHELL reads to complete commands, games, options and levels.

    \b
    bash: eval "$(sheshbesh completion bash)" in ~/.bashrc
    zsh:  eval "$(sheshbesh completion zsh)" in ~/.zshrc
    fish: sheshbesh completion fish > ~/.config/fish/completions/sheshbesh.fish
    """
    completes = get_completion_class(shell)
    assert completes is not None, "the shells are those that click knows"
    made = completes(ctx.find_root().command, {}, "sheshbesh", "_SHESHBESH_COMPLETE")
    # Without a look at the shell, which need not be installed where its lines are printed.
    click.echo(made.source_template % made.source_vars())
