from contextkit.cli import main

main(prog_name="contextkit")
