"""Words that the rules for todos go by; Chinese ones in simplified characters."""

from __future__ import annotations

ERRANDS = (
    r"(?:send|e-?mail|call|phone|text|pay|renew|book|submit|buy|pick up|drop off|return|finish"
    r"|complete|update|schedule|reschedule|prepare|fix|review|sign|file|order|cancel|contact|reply"
    r"|respond|deliver|ship|deploy|migrate|test|merge|register|print|upload|clean|add|remove"
    r"|refactor|document|publish|notify|inform|invite|arrange|set up|follow up|double[- ]check"
    r"|check|confirm|order|transfer|refund|replace|install|upgrade|back ?up|write up|hand in"
    r"|get back|reach out|meet|visit|pack|repair|report"
    r"|draft|brief|bump|finali[sz]e|write|pick|drop"
    r"|fill|apply|enrol|enroll|renew|close|open|move|archive|rotate|revoke|rename|record|collect"
    r"|negotiate|translate|rebook|refill|assign|hire|train|validate|verify|audit|benchmark|measure"
    r"|monitor|commit|push|rebase|configure|provision|reset|rewrite|redo|rerun|run|start|launch"
    r"|announce|share|forward|post|present|prepare|plan|process|pull|export|import|sync|measure"
    r"|charge|water|feed|walk|wash|mow|paint|bake|cook|tidy|vacuum|iron|donate|bring|take|grab|get"
    r"|fast|exercise|measure|weigh|compare|research|investigate|look into|escalate|request|claim"
    r"|purchase|rent|lease|sell|list|extend|postpone|cancel|tell|ask|remind|thank|congratulate|set"
    r"|borrow|clear|empty|dust|sort out|sort|chase|resize|switch|regenerate|restock|drop|swap"
    r"|fetch|scan|sew|hang|assemble|defrost|return|turn"
    r"|switch|make|create|build|design|develop|implement|integrate|profile|optimi[sz]e|lint"
    r"|bump|tag|cut|release|patch|rollback|roll back|revert|drop off|see)"
)
"""What one does and is done with; "I need to understand" is none of these."""

NO_TASKS = (
    r"(?:know|understand|learn|find out|figure|see|be|say|think|ask|admit|go\b(?! to)|leave"
    r"|run\b|talk"
    r"|tell you|thank|believe|feel|get used|hear|wonder|have|keep in mind|remember|worry|do "
    r"(?:it|that"
    r"|this|so)\b|stop|sleep|eat|relax|rest|wait|agree|disagree|consider|take care|get (?:some|rid"
    r"|out)|make sure|give|improve|love|live|stay|accept|appreciate|apologi[sz]e|mention|point out"
    r"|happen|use\b|focus|work on)"
)

ERRANDS_ZH = (
    "(?:修复|更新|提交|联系|发送|发|准备|测试|通知|检查|部署|处理|交|完成|补充|整理|核对|确认"
    "|预订|订|预约|购买|买"
    "|缴|付|寄|取|打电话|回复|写|改|修改|上传|下载|安装|升级|迁移|重构|合并|评审|安排|跟进|续"
    "|办|申请|报名|签|核实|查收|统计|汇总|采购|报销|对接|走访|备份|归档|开|去|带|接|送|复查|体检"
    "|打印|复印|盖章|扫描|装|拿|还|退|换|催|转|抄送|拜访|招聘|面试|培训|审核|审批|拟|起草|制作"
    "|做|画|拍|洗"
    "|修|清理|打扫|收拾|缴费|充值|补|拉|排|约|拨打|联络|沟通|确定|落实|发布|上线|回滚|配置|监控"
    "|压测|优化"
    "|写完|导出|导入|交接|布置|搬|卖|租|种|浇|喂|遛|吃药|量|测|schedule|book|send|email|check"
    "|release"
    "|sync|rebase|refactor|rename|configure|rollback"
    "|把|给|跟|参加|review|merge|deploy|fix|update|test|push|call)"
)
NO_TASKS_ZH = (
    "(?:感谢|谢|说|问|多久|多少|继续|看你|看情况|下雨|下雪|是|有|知道|了解|学会|考虑|注意"
    "|保持|相信|努力|加油|开心"
    "|一[次下声遍](?:\\Z|[，。])|吗|我们?的|你|这|那|什么|怎么|一个|更(?![新换改正])|多|时间|当"
    "|等|避免|使|让(?:你|我|自己|人|它))"
)

DONE = (
    r"(?:done|finished|completed?|sent|paid|made|wrote|written|bought|told|built|ran|took|taken|met"
    r"|spoke|spoken|found|given|gave|submitted|set up|shut down|put|got|\w{2,}(?:[^e\W]|ee)ed"
    r"|\w{3,}ed)"
)
NOT_DONE = (
    r"\b(?:make sure|ensure|not|n't|n’t|never|will|would|should|to be|need(?:s|ed)? to|have to"
    r"|when|once|after|before"
    r"|until|unless|if|going to|want(?:s|ed)?|wish(?:ed)?|hope[ds]?|almost|nearly|half|yet"
    r"|wondering|must|can|could|please)\b|\w+n['’]t\b"
)
NOT_DONE_ZH = (
    "没|未|不(?!锈|动产)|还要|还需|快要|快(?![递照捷餐件])|该|(?<![纪摘重主首概必])要(?!求|点|素"
    "|件)"
    "|(?<![聚开社晚约机年协工董委])会(?![议员场展计所费客])|将|(?<![类级区性个特])别|想|如果"
    "|(?<![高中初同平])等(?!级|式)|打算|准备(?![好完妥])|(?<!刚)才(?!能)|记得|就可以|怎么|太(?!太)"
)
